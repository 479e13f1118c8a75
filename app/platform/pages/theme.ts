/** What a player may choose: `system` follows the device. */
export const THEMES = ["system", "dark", "light"] as const;

export type Theme = (typeof THEMES)[number];

/** Where the choice is posted to: a form with the field `theme`, and `returnTo` for players without JavaScript. */
export const THEME_ADDRESS = "/theme";

/** The choice that a cookie or a form holds, or undefined when it is none of ours. */
export function parseTheme(value: unknown): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}
