import type { MetaFunction } from "@remix-run/cloudflare";
import { privatePage } from "~/platform/pages/page-meta";
import { ButtonLink } from "~/ui/button";
import { ErrorScene } from "~/ui/page/error-page";
import { SiteHeader } from "~/ui/page/site-header";
import "~/shell";

export const meta: MetaFunction = () => privatePage("You're offline");

/** It needs only the script that belongs to it. */
export const handle = { withoutScript: true };

/**
 * The page without a network. `public/sw.js` keeps a copy, which is the same for everyone, and shows it at the address
 * of a page that can't be loaded. `public/offline/page.js` fills in what this browser knows.
 */
export default function OfflinePage() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="content" className="flex flex-1 flex-col">
        <ErrorScene
          title="You're offline"
          text={
            <>
              <p>
                Lineup can't be reached from here.{" "}
                <span id="returns" hidden>
                  This page opens when you're back.
                </span>
              </p>
              <section id="unsent" hidden aria-labelledby="unsent-title" className="mt-7 border-t-2 border-text pt-3">
                <h2 id="unsent-title" className="font-display text-section text-text">
                  Waiting to be sent
                </h2>
                <p className="mt-1 text-meta">
                  Your messages are safe in this browser. They'll be sent when you're back.
                </p>
                {/* Bubbles, as in a conversation. */}
                <ul className="mt-3 grid justify-items-start gap-2 text-body wrap-anywhere whitespace-pre-line text-text *:rounded-[14px] *:bg-own *:px-3.5 *:py-2" />
              </section>
            </>
          }
          action={
            <ButtonLink id="again" to="/offline" reloadDocument variant="primary" size="landing">
              Try Again
            </ButtonLink>
          }
        />
      </main>
      <script src="/offline/page.js" defer />
    </div>
  );
}
