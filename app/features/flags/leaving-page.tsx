import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { SiteFooter } from "~/ui/page/site-footer";
import { SiteHeader } from "~/ui/page/site-header";
import type { Leaving } from "./shared/leaving.server";

const WARNINGS: Record<Leaving["warnings"][number], string> = {
  "userinfo-link": "The part before the @ isn't the site. It's often there to look like one.",
  "lookalike-link": "This site's name looks like another site's.",
  shortener: "This site forwards you to another one. We can't see which.",
};

const NEW_ACCOUNT = "It comes from a player who's new here, or whose account is gone.";

/** Shows the destination of a suspicious link in a player's text. @param back a path of this site */
export function LeavingPage({ link, back }: { link: Leaving; back: string }) {
  const { to, before, host, after, written, warnings } = link;
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="content" className="measure w-full flex-1 py-10 md:py-16">
        <div className="max-w-[640px]">
          <h1 className="font-display text-h2-phone wrap-anywhere md:text-h2">You're leaving Lineup</h1>
          <p className="mt-4 text-muted">
            A player wrote this link, and we don't know the site it leads to. Check the address before you continue, and
            don't enter your Riot or Discord password there.
          </p>
          <p className="mt-6 rounded-control border border-edge bg-well px-4 py-3 wrap-anywhere text-muted">
            {before}
            <strong className="font-semibold text-text">{host}</strong>
            {after}
          </p>
          <Notice title={`This link leads to ${host}`} className="mt-6">
            {written && <p>With special characters: {written}</p>}
            {warnings.map((warning) => (
              <p key={warning}>{WARNINGS[warning]}</p>
            ))}
            {warnings.length === 0 && <p>{NEW_ACCOUNT}</p>}
          </Notice>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink to={back} variant="primary">
              Go back
            </ButtonLink>
            <a href={to} rel="noopener noreferrer nofollow ugc" className="btn">
              <span>Continue</span>
            </a>
          </div>
        </div>
      </main>
      <SiteFooter />
    </div>
  );
}
