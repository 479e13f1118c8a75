import type { ShouldRevalidateFunction } from "@remix-run/react";

/**
 * Patterns of all dialogs' paths. The first group is the page below the dialog. Add new dialogs here. Every page loads
 * the patterns, so they are short: some also match paths that don't exist.
 */
const DIALOGS = [
  /^(\/dashboard)\/lfg\/new$/,
  /^(\/dashboard\/(?:tournaments|profile)|\/dev\/components)\/(?:new|picture|dialog)$/,
  /^(\/tournaments\/[^/]+)\/(?:edit|cancel|register|withdraw|seek|start|report)$/,
  // All pages below a post, a player, a conversation, a match or a team of a tournament are dialogs.
  /^(\/(?:lfg|players|dashboard\/messages|tournaments\/[^/]+\/(?:matches|teams))\/[^/]+)\/./,
];

/**
 * Finds the page below a dialog.
 * @param pathname any path of this site
 * @returns the path of the page below; null if the path is not a dialog's
 */
export function pageUnderDialog(pathname: string): string | null {
  const path = pathname.replace(/\/+$/, "");
  for (const pattern of DIALOGS) {
    const page = pattern.exec(path)?.[1];
    if (page) return page;
  }
  return null;
}

/**
 * The `shouldRevalidate` of routes below a dialog, including the root: opening or closing a dialog doesn't reload them,
 * so that it happens immediately. After a successful form they reload as usual. A refused form has changed nothing, and
 * reloading could replace the entered values with an error page. (Remix sets `defaultShouldRevalidate` even then.)
 */
export const keepUnderDialog: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  actionStatus,
  defaultShouldRevalidate,
}) => {
  if (actionStatus !== undefined && actionStatus >= 400) return false;
  const [current, next] = [currentUrl, nextUrl].map(({ pathname }) => pageUnderDialog(pathname));
  const isSamePage = (current ?? currentUrl.pathname) === (next ?? nextUrl.pathname);
  const opensOrCloses = current !== next && isSamePage && currentUrl.search === nextUrl.search;
  return opensOrCloses && !formMethod ? false : defaultShouldRevalidate;
};

/** Further data of a refusal (`FormFailure.more`) after which the open dialog and the page below it load again. */
export const OUTDATED = { isOutdated: true };

/**
 * The `shouldRevalidate` of dialogs whose form can come too late. After a refusal with `OUTDATED`, the dialog reloads
 * its data. After any other it stays as it is, because its loader might lead away from what was typed.
 */
export const reloadDialogIfOutdated: ShouldRevalidateFunction = (args) =>
  args.actionResult?.isOutdated || keepUnderDialog(args);

/**
 * The `shouldRevalidate` of pages whose buttons can come too late. If one is refused for that reason, the page is
 * outdated, so it reloads despite the refusal. Otherwise the same as `reloadDialogIfOutdated`.
 */
export const reloadIfOutdated: ShouldRevalidateFunction = (args) =>
  (args.actionStatus === 409 && pageUnderDialog(args.formAction ?? "") === null) || reloadDialogIfOutdated(args);
