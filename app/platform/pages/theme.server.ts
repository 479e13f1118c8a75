import type { RequestContext } from "../context";
import { parseTheme, type Theme } from "./theme";

const COOKIE = "lineup_theme";
/** Seconds: a year. */
const KEPT = 365 * 24 * 60 * 60;

/** The theme this browser asked for, known before the page is rendered: the first paint already has its colours. */
export function readTheme({ cookies }: Pick<RequestContext, "cookies">): Theme {
  return parseTheme(cookies.get(COOKIE)) ?? "system";
}

/** Keeps the choice in the browser; it belongs to the device, not to the account, and holds when signed out. */
export function keepTheme({ cookies }: Pick<RequestContext, "cookies">, theme: Theme): void {
  if (theme === "system") cookies.delete(COOKIE);
  else cookies.set(COOKIE, theme, { maxAge: KEPT });
}
