import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import * as answers from "~/features/dev/answer-specimens";
import { Buttons, MoreButtons } from "~/features/dev/button-specimens";
import { Chat } from "~/features/dev/chat-specimens";
import * as fields from "~/features/dev/field-specimens";
import { Aside, Header } from "~/features/dev/frame-specimens";
import * as people from "~/features/dev/people-specimens";
import { SAMPLE_POSTS } from "~/features/dev/sample-posts";
import { Specimens } from "~/features/dev/specimen";
import { MatchBoxes, TournamentCards } from "~/features/dev/tournament-specimens";
import { PostCard } from "~/features/lfg/post-card";
import { notFound } from "~/platform/not-found.server";
import { privatePage } from "~/platform/page-meta";
import { SiteFooter } from "~/ui/site-footer";
import { SiteHeader } from "~/ui/site-header";

export const meta: MetaFunction = () => privatePage("Components");

/** Local only: every component of `ui/` in each of its states. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.env.LOCAL_TOOLS) notFound(context, request);
  return null;
}

/** At 1280 px the left column stands as one half of `components-1280.png` does. */
export default function Components() {
  return (
    <>
      <SiteHeader />
      <main className="measure grid gap-x-16 gap-y-7 pb-14 lg:grid-cols-2">
        <h1 className="pt-7 font-display text-title-phone md:text-title lg:col-span-2">Components</h1>
        <Column>
          <Buttons />
          <fields.Fields />
          <people.BadgesRanksRoles />
          <people.Banners />
          <answers.Empty />
          <answers.Skeletons />
          <answers.Toasts />
          <people.AllRanks />
          <people.MoreBanners />
          <people.Rulers />
          <people.Ratings />
          <people.TabsAndBells />
        </Column>
        <Column>
          <MoreButtons />
          <fields.MoreFields />
          <fields.Selects />
          <fields.PlayersNeeded />
          <fields.ErrorSummaries />
          <answers.Notices />
          <answers.Steps />
          <answers.LoadingAndPages />
          <answers.Dialogs />
        </Column>
        <Column wide>
          <Specimens title="LFG cards">
            <div className="max-w-[856px]">
              {SAMPLE_POSTS.map((post) => (
                <PostCard key={post.id} post={post} />
              ))}
            </div>
          </Specimens>
          <Chat />
          <TournamentCards />
          <MatchBoxes />
          <Header />
          <Aside />
          <answers.ErrorPages />
        </Column>
      </main>
      <SiteFooter />
    </>
  );
}

function Column({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <div className={`flex min-w-0 flex-col gap-[26px] ${wide ? "lg:col-span-2" : ""}`}>{children}</div>;
}
