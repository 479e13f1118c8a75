/** The attributes of a region that scrolls on its own: it can be focused, so that the keyboard scrolls it. */
export const scrolls = { tabIndex: 0 } as const;
