import displayLatin from "@fontsource/special-gothic-expanded-one/files/special-gothic-expanded-one-latin-400-normal.woff2";
import onestLatin from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2";

/** Address of the text face's latin subset: preload it (`rel="preload" as="font" crossOrigin="anonymous"`). */
const textFontHref: string = onestLatin;

/** Address of the display face's latin subset: preload it likewise. */
const displayFontHref: string = displayLatin;

/** Both, for a root `links` function. */
export const FONT_PRELOADS: readonly string[] = [textFontHref, displayFontHref];
