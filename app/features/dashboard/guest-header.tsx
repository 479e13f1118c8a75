import { useLocation } from "@remix-run/react";
import { ButtonLink } from "~/ui/button";
import { pageUnderDialog } from "~/ui/dialogs/dialogs";
import { SiteHeader } from "~/ui/page/site-header";

/** The header that visitors see on a shared page, with links to sign in and sign up, which lead back to the page. */
export function GuestHeader() {
  const { pathname, search } = useLocation();
  const page = pageUnderDialog(pathname) ?? pathname + search;
  const to = (tab: Record<string, string>) => `/auth?${new URLSearchParams({ ...tab, redirectTo: page })}`;
  return (
    <SiteHeader badgeClass="max-md:hidden">
      <ButtonLink to={to({})} variant="quiet" size="row">
        Sign In
      </ButtonLink>
      <ButtonLink to={to({ tab: "sign-up" })} size="row">
        Get Started
      </ButtonLink>
    </SiteHeader>
  );
}
