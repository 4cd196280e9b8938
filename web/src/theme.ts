// Light and dark themes: colours of everything except classes.

export interface Theme {
  readonly background: string;
  readonly disc: string;
  readonly rim: string;
  readonly grid: string;
  readonly ink: string;
  readonly edge: string;
  readonly halo: string;
  readonly dark: boolean;
}

const LIGHT: Theme = {
  background: "#f6f6f4",
  disc: "#ffffff",
  rim: "#c9cbd0",
  grid: "#e6e8ec",
  ink: "#22262e",
  edge: "#6d7480",
  halo: "#ffffff",
  dark: false,
};

/** Theme of printed pages. */
const PRINT: Theme = { ...LIGHT, background: "#ffffff" };

const DARK: Theme = {
  background: "#0e1116",
  disc: "#151a21",
  rim: "#3a424e",
  grid: "#232a34",
  ink: "#e8ebf0",
  edge: "#8d97a6",
  halo: "#151a21",
  dark: true,
};

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export class Themes {
  private isDark: boolean | null = null;
  private printing = false;

  constructor(changed: () => void) {
    prefersDark.addEventListener("change", () => {
      this.apply();
      changed();
    });
    this.apply();
  }

  get current(): Theme {
    if (this.printing) return PRINT;
    return (this.isDark ?? prefersDark.matches) ? DARK : LIGHT;
  }

  /** Switches to the print theme and back. */
  setPrinting(on: boolean): void {
    this.printing = on;
    this.apply();
  }

  toggle(): void {
    this.isDark = !this.current.dark;
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.current.dark ? "dark" : "light";
  }
}
