import type { ReactNode } from "react";
import type { Rank } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { RankGlyph, RoleGlyph } from "~/ui/icons";
import { SiteFooter } from "~/ui/page/site-footer";
import { SiteHeader } from "~/ui/page/site-header";
import { Tabs } from "~/ui/tabs";

type Tab = "sign-in" | "sign-up";

const TABS = [
  { tab: "sign-in", name: "Sign In" },
  { tab: "sign-up", name: "Sign Up" },
] as const;

/** Builds the tab's address; `search` carries parameters such as `redirectTo` along. */
function tabAddress(tab: Tab, search: string): string {
  const params = new URLSearchParams(search);
  params.delete("tab");
  params.delete("step");
  if (tab === "sign-up") params.set("tab", "sign-up");
  const query = params.toString();
  return query ? `/auth?${query}` : "/auth";
}

/**
 * A page of the account flows: a panel hanging from the line below the header, with the two tabs, a heading and the
 * form (`children`). On wide screens, `aside` is beside it (by default, the team of `AuthAside`).
 */
export function AuthLayout({
  tab,
  heading,
  children,
  aside,
  search = "",
  tabs = true,
}: {
  /** The current tab; null on pages outside both tabs. */
  tab: Tab | null;
  heading: string;
  children: ReactNode;
  aside?: ReactNode;
  /** The query string of the page's address. */
  search?: string;
  /** Whether to offer both sign-in and sign-up; false for signed-in players. */
  tabs?: boolean;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main
        id="content"
        className="measure grid flex-1 content-start gap-x-[88px] lg:grid-cols-[minmax(0,460px)_minmax(0,1fr)]"
      >
        <section className="pb-7 md:max-w-[460px] md:rounded-b-panel md:bg-sheet md:px-8 md:pb-8 lg:mb-14 lg:self-start">
          {tabs && (
            <Tabs
              label="Account"
              rail="none"
              className="-mx-3.5 [&_a]:min-h-[54px] md:[&_a]:min-h-14"
              tabs={TABS.map(({ tab: key, name }) => ({
                to: tabAddress(key, search),
                name,
                current: tab === key,
                // Both forms ask for email and password. Loading a new document keeps the player from typing into the
                // old form.
                reloadDocument: true,
              }))}
            />
          )}
          <h1
            className={`mb-[22px] font-display text-title-phone md:text-title ${tabs ? "mt-2.5 md:mt-[11px]" : "mt-7 md:mt-8"}`}
          >
            {heading}
          </h1>
          {children}
        </section>
        <div className="max-lg:hidden">{aside ?? <AuthAside />}</div>
      </main>
      <SiteFooter />
    </div>
  );
}

const TEAM: readonly { role: Role; rank: Rank }[] = [
  { role: "Initiator", rank: "Diamond 1" },
  { role: "Duelist", rank: "Platinum 3" },
  { role: "Sentinel", rank: "Diamond 2" },
  { role: "Controller", rank: "Platinum 1" },
];

/** Four banners and the visitor's own spot, with a few words below. Pass `name` and `tag` once they are known. */
export function AuthAside({
  title = "Still open.",
  text = "Sign in to see who needs one more, what they play and whether your ranks can queue together.",
  name,
  tag,
}: {
  title?: string;
  text?: string;
  name?: string;
  tag?: string;
}) {
  return (
    <>
      <div aria-hidden="true" className="grid grid-cols-5 items-start gap-2.5 text-meta font-semibold">
        {TEAM.map(({ role, rank }) => (
          <div
            key={role}
            className="flex h-[236px] flex-col items-center justify-between rounded-b-full bg-raised pt-[26px] pb-11 forced-colors:border"
          >
            <RoleGlyph role={role} className="size-12" />
            <span className="flex items-center gap-1.5 whitespace-nowrap">
              <RankGlyph rank={rank} />
              {rank}
            </span>
          </div>
        ))}
        <div className="flex h-[300px] min-w-0 flex-col items-center justify-between rounded-b-full border border-t-0 border-spot-edge bg-spot px-3 pt-[29px] pb-[51px] text-center text-on-spot">
          {name ? (
            <span className="line-clamp-3 max-w-full text-[1.1875rem] leading-6 wrap-anywhere">{name}</span>
          ) : (
            <span className="font-display text-title-phone leading-[26px] font-normal">Your spot</span>
          )}
          <span className="max-w-full truncate">{name ? `#${tag ?? ""}` : "Any role"}</span>
        </div>
      </div>
      <p className="-ml-0.5 mt-14 max-w-[420px] font-display text-hero-phone leading-[56px] tracking-[-0.02em]">
        {title}
      </p>
      <p className="mt-4 max-w-[490px] text-landing text-muted">{text}</p>
    </>
  );
}
