import type { ShouldRevalidateFunction } from "@remix-run/react";

/** The address of each dialog; the group is the page that lies under it. A new dialog is entered here. */
const DIALOGS = [
  /^(\/dashboard)\/lfg\/new$/,
  /^(\/dashboard\/tournaments)\/new$/,
  /^(\/tournaments\/[^/]+)\/(?:edit|cancel|register|withdraw|seek|start)$/,
  /^(\/lfg\/[^/]+)\/(?:edit|close|delete|contact|join)$/,
  /^(\/dashboard\/messages\/[^/]+)\/(?:block|report)$/,
  /^(\/dashboard\/profile)\/picture$/,
  /^(\/players\/[^/]+)\/(?:message|feedback|report\/[^/]+)$/,
  /^(\/tournaments\/[^/]+\/matches\/\d+)\/(?:dispute|forfeit|decide|reopen)$/,
  /^(\/tournaments\/[^/]+\/teams\/[^/]+)\/disqualify$/,
  /^(\/dev\/components)\/dialog$/,
];

/**
 * @param pathname any path of ours
 * @returns the path of the page under the dialog of that address; null where there is no dialog
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
 * `shouldRevalidate` of the routes that lie under a dialog, the root's included: opening and closing one doesn't load
 * them again, so a dialog closes at once. What a form has changed is loaded as ever; a refused form has changed nothing,
 * and to load after it could replace what was entered by an error page. (Remix says `defaultShouldRevalidate` even then.)
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
