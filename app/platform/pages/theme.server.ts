import type { RequestContext } from "../context";
import { YEAR } from "../dates/durations";
import { parseTheme, type Theme } from "./theme";

const COOKIE = "lineup_theme";

/** The time that a choice is kept, in seconds. */
const LIFETIME = YEAR / 1000;

/** Reads the theme chosen in this browser, before the page is rendered, so that the first paint has its colours. */
export function readTheme({ cookies }: Pick<RequestContext, "cookies">): Theme {
  return parseTheme(cookies.get(COOKIE)) ?? "system";
}

/** Stores the choice in the browser: it belongs to the device, not to the account, and outlasts the session. */
export function storeTheme({ cookies }: Pick<RequestContext, "cookies">, theme: Theme): void {
  if (theme === "system") cookies.delete(COOKIE);
  else cookies.set(COOKIE, theme, { maxAge: LIFETIME });
}
