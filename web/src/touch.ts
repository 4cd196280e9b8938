// Detection of touch devices, whose help texts describe gestures.

export const isTouchDevice: boolean = matchMedia("(hover: none) and (pointer: coarse)").matches;
