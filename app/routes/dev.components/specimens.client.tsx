import type { ReactNode } from "react";
import * as answers from "./answer-specimens";
import { Buttons, MoreButtons } from "./button-specimens";
import { Bubbles, ConversationRows } from "./chat-specimens";
import * as fields from "./field-specimens";
import { LfgCards } from "./lfg-specimens";
import * as navigation from "./navigation-specimens";
import * as players from "./player-specimens";
import { useShownStates } from "./pseudo-states";
import { MatchBoxes, TournamentCards } from "./tournament-specimens";
import "~/shell";

/**
 * Every component of `ui/` in all its states, in columns: at 1280 px the left one matches one half of
 * `components-1280.png`. A `.client` module, so that the Worker doesn't include pages for local machines.
 */
export function Specimens() {
  useShownStates();
  return (
    <>
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
        <players.RatingDistribution />
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
    </>
  );
}

function Column({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <div className={`flex min-w-0 flex-col gap-[26px] ${wide ? "lg:col-span-2" : ""}`}>{children}</div>;
}
