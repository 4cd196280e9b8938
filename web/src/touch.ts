// Whether the page is used with fingers: its words then speak of tapping.

export const touch: boolean = matchMedia("(hover: none) and (pointer: coarse)").matches;
