// Light and dark: colours of everything that is not a class.

export interface Theme {
  readonly ground: string;
  readonly disc: string;
  readonly rim: string;
  readonly grid: string;
  readonly ink: string;
  readonly edge: string;
  readonly halo: string;
  readonly dark: boolean;
}

const LIGHT: Theme = {
  ground: "#f6f6f4",
  disc: "#ffffff",
  rim: "#c9cbd0",
  grid: "#e6e8ec",
  ink: "#22262e",
  edge: "#6d7480",
  halo: "#ffffff",
  dark: false,
};

/** Paper is white. */
const PAPER: Theme = { ...LIGHT, ground: "#ffffff" };

const DARK: Theme = {
  ground: "#0e1116",
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
  private chosen: boolean | null = null;
  private printing = false;

  constructor(changed: () => void) {
    prefersDark.addEventListener("change", () => {
      this.show();
      changed();
    });
    this.show();
  }

  get current(): Theme {
    if (this.printing) return PAPER;
    return (this.chosen ?? prefersDark.matches) ? DARK : LIGHT;
  }

  /** While a page is printed, it is light. */
  print(on: boolean): void {
    this.printing = on;
    this.show();
  }

  toggle(): void {
    this.chosen = !this.current.dark;
    this.show();
  }

  private show(): void {
    document.documentElement.dataset["theme"] = this.current.dark ? "dark" : "light";
  }
}
