import type { ReactNode } from "react";
import { Stars } from "~/features/feedback/shared/stars";
import { Reason } from "~/features/players/shared/reason";
import type { Rank } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { Avatar } from "~/ui/avatar";
import { ButtonLink } from "~/ui/button";
import { Ruler } from "~/ui/game/ruler";
import { LogoMark, RankGlyph, RoleGlyph } from "~/ui/icons";
import { SiteFooter } from "~/ui/page/site-footer";
import { SiteHeader } from "~/ui/page/site-header";

/** The landing page: presents Lineup with the product's own components. */
export function Landing() {
  return (
    <div className="flex min-h-dvh flex-col font-landing">
      <SiteHeader size="landing">
        <ButtonLink to="/auth" variant="quiet" className="-mr-3">
          Sign In
        </ButtonLink>
      </SiteHeader>
      <main id="content" className="flex-1">
        <Hero />
        <Features />
        <HowItWorks />
        <CallToAction />
      </main>
      <SiteFooter
        full={
          <div className="flex flex-none gap-2.5">
            <LogoMark className="size-6 text-text" />
            <p>
              <span className="block text-text">Lineup, built for the VALORANT community</span>© 2024–2026 Lineup
            </p>
          </div>
        }
      />
    </div>
  );
}

/** If a name has new letters, add them to the landing page's font (`styles/fonts.css`). */
const TEAM: readonly { name: string; rank: Rank; role: Role }[] = [
  { name: "Sørina Wójcik", rank: "Diamond 1", role: "Initiator" },
  { name: "Дмитрий Ковалёв", rank: "Platinum 3", role: "Duelist" },
  { name: "Ngọc Huyền", rank: "Diamond 2", role: "Sentinel" },
  { name: "Łukasz Żółtowski", rank: "Platinum 1", role: "Controller" },
];

function Hero() {
  return (
    <section className="measure overflow-x-clip">
      <div aria-hidden="true" className="banner-drop grid grid-cols-5 items-start gap-[7px] lg:gap-4">
        {TEAM.map(({ name, rank, role }) => (
          <div
            key={name}
            className="flex h-[262px] flex-col items-center rounded-b-full border-edge bg-raised pt-4 theme-light:border theme-light:border-t-0 theme-light:bg-sheet pb-[26px] lg:h-[286px] lg:pt-[30px]"
          >
            <RoleGlyph role={role} className="size-8 lg:size-[72px]" />
            <span className="mt-3.5 text-landing font-semibold whitespace-nowrap max-lg:[writing-mode:vertical-rl] lg:mt-[49px] lg:text-lead">
              {name}
            </span>
            <span className="mt-auto flex items-center gap-1.5 font-semibold lg:mt-1">
              <RankGlyph rank={rank} className="size-[22px]" />
              <span className="max-lg:hidden">{rank}</span>
            </span>
            <span className="mt-1.5 text-muted max-lg:hidden">{role}</span>
          </div>
        ))}
        <div className="flex h-[296px] flex-col items-center rounded-b-full border border-t-0 border-spot-edge bg-spot pt-5 text-center text-on-spot lg:h-[346px] lg:pt-8">
          <span className="font-display text-h2-phone max-lg:[writing-mode:vertical-rl] lg:text-[2.75rem] lg:leading-[0.95]">
            Your spot
          </span>
          <span className="mt-auto text-lead font-semibold max-lg:hidden">Any role</span>
          <span className="mt-1 mb-[53px] max-lg:hidden">Gold 1 to Diamond 2</span>
        </div>
      </div>
      <div className="mt-6 flex flex-col gap-y-3.5 lg:mt-3 lg:flex-row lg:items-end lg:justify-between">
        <h1 className="-ml-0.5 font-display text-hero-phone md:text-[5rem] lg:-ml-1 lg:text-hero">
          Find your
          <br />
          fifth.
        </h1>
        <div className="lg:w-[400px]">
          <p className="max-w-[400px] text-landing text-muted lg:text-lead">
            Lineup finds you a duo, a trio or a full five: by rank, role, region and the way you like to play.
          </p>
          <ButtonLink
            to="/auth?tab=sign-up"
            variant="primary"
            size="landing"
            className="mt-5 max-lg:w-full lg:mt-[22px]"
          >
            Get Started
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

function Features() {
  return (
    <section className="measure pt-[60px] lg:pt-[88px]">
      <h2 className="font-display text-h2-phone lg:text-h2">Fewer strangers. Better teams.</h2>
      <div className="mt-6 grid gap-x-16 gap-y-10 lg:mt-10 lg:grid-cols-2 lg:gap-y-14">
        <Feature
          title="Smart Matchmaking"
          text="Filter by rank, role, region and playstyle. Every match says why it fits you."
        >
          <Ruler from="Gold 1" to="Diamond 2" you="Platinum 2" size="landing" />
          <ul className="mt-3 flex flex-col flex-wrap gap-x-4 gap-y-1 text-[0.875rem] leading-5 lg:flex-row">
            <Reason>You play Controller</Reason>
            <Reason>Your ranks can queue together</Reason>
            <Reason>Both in Europe</Reason>
          </ul>
        </Feature>
        <Feature
          title="LFG Posts"
          text="Say who you need, from one player to four. A post closes by itself after 24 hours."
          rail
        >
          <div aria-hidden="true" className="flex gap-[5px] [--u-h:64px] [--u-w:52px] lg:[--u-h:78px] lg:[--u-w:64px]">
            <Avatar letter="Ł" presence="online" className="text-[1.375rem]!" />
            <span className="u u-spot">
              <RoleGlyph role="Sentinel" className="size-[18px]" />
            </span>
            <span className="u u-spot">
              <RoleGlyph role="Sentinel" className="size-[18px]" />
            </span>
            <span className="u u-none" />
            <span className="u u-none" />
          </div>
          <p className="mt-3.5 flex flex-wrap items-center gap-x-3.5 gap-y-1 leading-5 font-semibold">
            Needs 2 players
            <span className="flex items-center gap-1.5">
              <RankGlyph rank="Gold 1" className="size-[21px]" />
              Gold 1
            </span>
            <span className="flex items-center gap-1.5">
              <RoleGlyph role="Sentinel" />
              Sentinel
            </span>
            <span className="font-normal text-muted">Europe</span>
          </p>
        </Feature>
        <Feature
          title="Direct Messaging"
          text="Write to any player straight from their post. The first line is already there."
        >
          <p className="max-w-[82%] self-start rounded-bubble rounded-bl-[4px] bg-raised px-3.5 py-2.5">
            Two games tonight, starting at 20:30?
          </p>
          <p className="mt-3.5 max-w-[82%] self-end rounded-bubble rounded-br-[4px] bg-own px-3.5 py-2.5">
            I’m in. Omen or Clove, your call.
          </p>
        </Feature>
        <Feature
          title="Reputation"
          text="Teammates rate each other after playing, so good company is easy to find again."
        >
          <div className="flex items-center gap-4">
            <span className="font-display text-[3.75rem] leading-none tracking-[-0.012em]">4.6</span>
            <span className="grid">
              <Stars rating={4.6} size="large" silent className="gap-px" />
              <span className="mt-1 block text-muted">23 reviews</span>
            </span>
          </div>
          <p className="mt-3.5">“Calls early, never tilts, says gg either way.”</p>
        </Feature>
      </div>
    </section>
  );
}

/** One feature: its text, and a picture made of the product's own components. */
function Feature({
  title,
  text,
  rail = false,
  children,
}: {
  title: string;
  text: string;
  rail?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0 border-t border-edge pt-[22px]">
      <h3 className="font-display text-title-phone">{title}</h3>
      <p className="mt-2 max-w-[528px] text-landing text-muted">{text}</p>
      <div
        className={`mt-6 flex min-h-[172px] flex-col overflow-x-clip bg-sheet px-4 pb-6 lg:px-6 ${rail ? "rounded-b-panel border-t-4 border-text" : "justify-center rounded-panel pt-6"}`}
      >
        {children}
      </div>
    </div>
  );
}

const STEPS = [
  {
    title: "Create Your Profile",
    text: "Your rank, up to three main agents, your role and when you play.",
    players: 1,
  },
  {
    title: "Find Teammates",
    text: "Filter the posts, or write your own and let players come to you.",
    players: 3,
  },
  {
    title: "Start Playing",
    text: "Agree in chat, queue together, and rate each other afterwards.",
    players: 5,
  },
] as const;

function HowItWorks() {
  return (
    <section className="measure pt-[52px] pb-16 lg:pb-24">
      <h2 className="font-display text-h2-phone lg:text-h2">How It Works</h2>
      <ol className="mt-11 grid gap-8 lg:grid-cols-3">
        {STEPS.map(({ title, text, players }) => (
          <li key={title} className="border-t-4 border-text">
            <div aria-hidden="true" className="flex gap-1.5 [--u-h:62px] [--u-w:48px]">
              {[1, 2, 3, 4, 5].map((place) => (
                <span
                  key={place}
                  className={`u ${place === 1 ? "u-filled" : place <= players ? "bg-text" : "u-empty"}`}
                />
              ))}
            </div>
            <h3 className="mt-[22px] font-display text-section tracking-normal">{title}</h3>
            <p className="mt-2 text-landing text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function CallToAction() {
  return (
    <section className="on-spot-area border-y border-spot-edge bg-spot text-on-spot">
      <div className="measure flex flex-col gap-5 py-[39px] lg:flex-row lg:items-center lg:justify-between lg:py-[55px]">
        <div>
          <h2 className="font-display text-h2-phone lg:text-h2">Four is not a team.</h2>
          <p className="mt-1.5 text-rail leading-[26px] tracking-normal">
            Lineup is for the thousands of players who queue alone.
          </p>
        </div>
        <ButtonLink to="/auth?tab=sign-up" size="landing" className="border-on-spot! bg-on-spot! text-spot!">
          Start Finding Teammates
        </ButtonLink>
      </div>
    </section>
  );
}
