import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet } from "@remix-run/react";
import type { ReactNode } from "react";
import * as answers from "~/features/dev/answer-specimens";
import { Buttons, MoreButtons } from "~/features/dev/button-specimens";
import { Bubbles, ConversationRows } from "~/features/dev/chat-specimens";
import * as fields from "~/features/dev/field-specimens";
import { LfgCards } from "~/features/dev/lfg-specimens";
import * as navigation from "~/features/dev/navigation-specimens";
import * as players from "~/features/dev/player-specimens";
import { useShownStates } from "~/features/dev/pseudo-states";
import { MatchBoxes, TournamentCards } from "~/features/dev/tournament-specimens";
import { notFound } from "~/platform/not-found.server";
import { privatePage } from "~/platform/page-meta";
import bracketStyles from "~/styles/bracket.css";
import { SiteFooter } from "~/ui/site-footer";
import { SiteHeader } from "~/ui/site-header";
import { useInertBehindDialog } from "~/ui/use-inert-behind-dialog";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: bracketStyles }];

export const meta: MetaFunction = () => privatePage("Components");

/** Local only: every component of `ui/` in each of its states. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.env.LOCAL_TOOLS) notFound(context, request);
  return null;
}

/** At 1280 px the left column stands as one half of `components-1280.png` does. */
export default function Components() {
  const inert = useInertBehindDialog();
  useShownStates();
  return (
    <>
      <div {...inert}>
        <SiteHeader />
        <main className="measure grid gap-x-16 gap-y-7 pb-14 lg:grid-cols-2">
          <div className="pt-7 lg:col-span-2">
            <h1 className="font-display text-title-phone md:text-title">Components</h1>
            <p className="mt-2 text-muted">
              Every component in each of its states. Those under a pointer and in focus are shown by script.
            </p>
          </div>
          <Column>
            <Buttons />
            <fields.Fields />
            <players.Badges />
            <players.RoleChips />
            <players.Banners />
            <answers.Empty />
            <answers.Skeletons />
            <answers.Toasts />
            <players.RankBadges />
            <players.Avatars />
            <players.Fives />
            <players.Reasons />
            <players.Rulers />
            <players.Ratings />
            <players.Icons />
            <players.RatingSpread />
          </Column>
          <Column>
            <MoreButtons />
            <fields.MoreFields />
            <fields.Selects />
            <fields.PlayersNeeded />
            <fields.ErrorSummaries />
            <answers.Notices />
            <navigation.TabBars />
            <navigation.Bells />
            <navigation.Themes />
            <navigation.Steps />
            <navigation.Loading />
            <navigation.Pagination />
            <navigation.Dialogs />
            <fields.StarChoice />
          </Column>
          <Column wide>
            <LfgCards />
            <div className="grid gap-x-10 gap-y-[26px] lg:grid-cols-[360px_minmax(0,1fr)]">
              <ConversationRows />
              <Bubbles />
            </div>
            <TournamentCards />
            <MatchBoxes />
            <navigation.Header />
            <navigation.Aside />
            <answers.ErrorPages />
          </Column>
        </main>
        <SiteFooter />
      </div>
      <Outlet />
    </>
  );
}

function Column({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <div className={`flex min-w-0 flex-col gap-[26px] ${wide ? "lg:col-span-2" : ""}`}>{children}</div>;
}
