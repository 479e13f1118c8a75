/** The attributes of a region that scrolls by itself: it is a stop for the keyboard, which scrolls it from there. */
export const scrolls = { tabIndex: 0 } as const;
