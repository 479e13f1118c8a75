/** The themes that a player may choose; `system` follows the device. */
export const THEMES = ["system", "dark", "light"] as const;

export type Theme = (typeof THEMES)[number];

/** The address that the choice is posted to, with the field `theme`, and `returnTo` for players without JavaScript. */
export const THEME_ADDRESS = "/theme";

/** Reads the choice in a cookie or a form; undefined if it is not a theme. */
export function parseTheme(value: unknown): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}
