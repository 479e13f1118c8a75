import displayLatin from "@fontsource/special-gothic-expanded-one/files/special-gothic-expanded-one-latin-400-normal.woff2";
import onestLatin from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2";

/** The URL of the text face's Latin subset: preload it (`rel="preload" as="font" crossOrigin="anonymous"`). */
const textFontHref: string = onestLatin;

/** The URL of the display face's Latin subset: preload it in the same way. */
const displayFontHref: string = displayLatin;

/** Both fonts, for the root's `links` function. */
export const FONT_PRELOADS: readonly string[] = [textFontHref, displayFontHref];
