import { Form, useLocation } from "@remix-run/react";
import type { ComponentProps } from "react";
import { Bell } from "~/features/notifications/shared/bell";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { useIsOnline } from "~/platform/network";
import { Avatar } from "~/ui/avatar";
import { Badge, Count, unreadWords } from "~/ui/badge";
import { Button } from "~/ui/button";
import {
  ChatIcon,
  LfgIcon,
  Logo,
  PlayersIcon,
  ProfileIcon,
  SearchIcon,
  SettingsIcon,
  SignOutIcon,
  TournamentsIcon,
} from "~/ui/icons";
import { Link } from "~/ui/link";
import { ThemeSwitch } from "~/ui/page/theme-switch";
import { AccountName } from "./account-name";

const TABS = [
  { to: "/dashboard", name: "LFG", Icon: LfgIcon },
  { to: "/dashboard/tournaments", name: "Tournaments", Icon: TournamentsIcon },
  { to: "/dashboard/players", name: "Players", Icon: PlayersIcon },
  { to: "/dashboard/messages", name: "Chat", Icon: ChatIcon },
  { to: "/dashboard/profile", name: "Profile", Icon: ProfileIcon },
] as const;

/**
 * Whether a tab is the current one. LFG has /dashboard itself and /dashboard/lfg/…, and Tournaments also has the pages
 * of single tournaments, at /tournaments/…. Every other tab's path is the beginning of its pages' paths.
 */
function isCurrent(tab: string, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, "");
  if (tab === "/dashboard") return path === tab || path.startsWith("/dashboard/lfg");
  return (
    path === tab || path.startsWith(`${tab}/`) || (tab.endsWith("/tournaments") && path.startsWith("/tournaments/"))
  );
}

type DashboardHeaderProps = {
  /** The part of the email before the @. */
  name: string;
  /** First letter of the email. */
  letter: string;
  /** The name that others see, once it is verified. */
  publicName: string | null;
  /** The key of the player's picture; null without one. */
  avatarId: string | null;
  /** The text of the verified mark; null without one. */
  verified: ComponentProps<typeof VerifiedMark> | null;
  /** The number of cases that wait for a moderator; null or undefined for players. */
  cases?: number | null | undefined;
  /** The number of unread notifications, on the bell. */
  notifications: number;
  /** The number of unread messages, on the Chat tab. */
  messages: number;
};

/**
 * The header of every dashboard page. The five tabs are one navigation: in the header above 700 px, below that in the
 * bar at the bottom of the screen. The player's name and Sign Out appear once in the document: in the header from 1024
 * px, otherwise in the menu that the avatar opens (`<details>`, no JavaScript needed). That menu also has the settings
 * and the theme; in the header, the name opens one with the same items (`account-name.tsx`).
 */
export function DashboardHeader({
  name,
  letter,
  publicName,
  avatarId: picture,
  verified,
  cases,
  notifications,
  messages,
}: DashboardHeaderProps) {
  const online = useIsOnline();
  const avatar = { letter, picture, presence: online ? "online" : "none" } as const;
  const location = useLocation();
  return (
    <header className="dashboard-header">
      <div className="measure dashboard-header-row">
        <Link to="/dashboard" className="inline-flex min-h-11 items-center rounded-control">
          {/* A moderator's header has one more link. The narrowest phones have no room for it beside the name. */}
          <Logo nameClass={cases == null ? "" : "max-[22.5rem]:sr-only"} />
        </Link>
        <Badge>Beta</Badge>
        <nav aria-label="Dashboard" className="dashboard-nav">
          <ul className="tab-row">
            {TABS.map(({ to, name: label, Icon }) => {
              const count = label === "Chat" ? messages : 0;
              return (
                <li key={to}>
                  <Link
                    to={to}
                    prefetch="intent"
                    className="hung-tab"
                    aria-current={isCurrent(to, location.pathname) ? "page" : undefined}
                    aria-describedby={count ? "unread-messages" : undefined}
                  >
                    <Icon />
                    {label}
                    <Count value={count} />
                  </Link>
                  {count > 0 && (
                    <span id="unread-messages" hidden>
                      {unreadWords(count)}
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        </nav>
        <Link
          to="/dashboard/search"
          title="Search (Ctrl K or ⌘K)"
          aria-keyshortcuts="Control+K Meta+K"
          className="-mr-2 ml-auto grid size-11 flex-none place-items-center rounded-control hover:bg-raised"
        >
          <SearchIcon />
          <span className="sr-only">Search</span>
        </Link>
        <Bell unread={notifications} />
        {cases != null && (
          <a href="/moderation" className="link py-3 whitespace-nowrap">
            <span className="max-sm:sr-only">Cases: </span>
            {cases}
          </a>
        )}
        {/* The key closes the menu on every navigation. */}
        <details key={location.key} className="account-menu flex-none lg:hidden">
          <summary title="Account menu">
            <Avatar {...avatar} size="small" />
            <span className="sr-only">Account menu</span>
          </summary>
        </details>
        <div className="account">
          <div className="relative flex items-center gap-3.5 max-lg:border-b max-lg:border-line max-lg:pb-4 lg:gap-2.5">
            <Avatar {...avatar} size="large" className="lg:hidden" />
            <Avatar {...avatar} size="header" className="max-lg:hidden" />
            <div className="grid min-w-0 grid-cols-[minmax(0,auto)_1fr] items-center gap-x-2.5">
              <AccountName name={name} />
              {verified && <VerifiedMark {...verified} className="relative" />}
              <span
                title={publicName ?? undefined}
                // Below 1280 px, this text is only as wide as the row above it.
                className="relative text-meta text-muted col-span-2 max-lg:wrap-anywhere lg:truncate lg:max-xl:w-0 lg:max-xl:min-w-full xl:max-w-[190px]"
              >
                <span>{online ? "Online" : "Offline"}</span>
                {online && publicName && (
                  <>
                    {" as "}
                    <bdi>{publicName}</bdi>
                  </>
                )}
              </span>
            </div>
          </div>
          <div className="border-b border-line pt-2 pb-3 lg:hidden">
            <Link to="/dashboard/profile" prefetch="intent" className="account-item">
              <ProfileIcon className="size-[22px]" />
              Profile
            </Link>
            <Link to="/dashboard/settings" prefetch="intent" className="account-item">
              <SettingsIcon />
              Settings
            </Link>
            <ThemeSwitch className="mt-3" />
          </div>
          <Form method="post" action="/auth/sign-out" className="max-lg:pt-2">
            <Button variant="quiet" className="whitespace-nowrap max-lg:w-full max-lg:justify-items-start max-lg:px-0!">
              <SignOutIcon className="size-[22px] lg:hidden" />
              Sign Out
            </Button>
          </Form>
        </div>
      </div>
    </header>
  );
}
