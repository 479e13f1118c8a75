import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
} from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { AuthProvider } from "~/features/auth/shared/auth-context";
import { ViewerError } from "~/features/dashboard/viewer-header";
import { holdNavigations } from "~/platform/network";
import { privatePage, statusOf } from "~/platform/pages/page-meta";
import { loadRoot } from "~/root-data.server";
import appStyles from "~/styles/app.css";
import textFont from "~/styles/fonts/onest-western.woff2";
import displayFont from "~/styles/fonts/special-gothic-basic.woff2";
import { keepUnderDialog, pageUnderDialog } from "~/ui/dialogs/dialogs";
import { useBrowserZone } from "~/ui/hooks/use-browser-zone";
import { FollowLinks } from "~/ui/page/follow-links";
import { NavigationProgress } from "~/ui/page/loading";
import { PageAnnouncer } from "~/ui/page/page-announcer";
import { KeptFormContext, NonceContext } from "~/ui/page/request-contexts";
import { scrollKey } from "~/ui/page/scroll-key";
import { settleWhenIdle } from "~/ui/page/settled";
import { useTheme } from "~/ui/page/theme-switch";
import { Toaster } from "~/ui/toasts/toaster";
import { useToasts } from "~/ui/toasts/use-toasts";
import { Tooltips } from "~/ui/tooltips/tooltips";
import { useOfflineCare } from "./offline";
import { PlayerCards } from "./player-cards";
import { SearchShortcut } from "./search-shortcut";
import "./shell";

export const links: LinksFunction = () => [
  // Before the fonts: nothing is painted without it.
  { rel: "stylesheet", href: appStyles },
  // The font files that every page needs.
  ...[textFont, displayFont].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/**
 * The default head, for errors and for pages without a `meta` of their own. After an error, a route with an error
 * boundary and a `meta` of its own returns this one.
 */
export const meta: MetaFunction = ({ error }) => privatePage(error ? errorTitle(error) : "Find your fifth");

function errorTitle(error: unknown): string {
  return (
    { 404: "Page not found", 401: "Sign in again", 503: "Back in a moment" }[statusOf(error)] ?? "Something went wrong"
  );
}

export const shouldRevalidate = keepUnderDialog;

export const loader = ({ context }: LoaderFunctionArgs) => loadRoot(context);

interface DocumentProps {
  children: ReactNode;
  /** Whether the page is hydrated in the browser. */
  interactive?: boolean;
}

/** `--floor` of each theme, for the browser's own toolbars, which don't understand OKLCH. */
const FLOOR = { dark: "#16110e", light: "#f6f4f0" };

function Document({ children, interactive = true }: DocumentProps) {
  const nonce = useContext(NonceContext);
  const theme = useTheme();
  const { pathname, key } = useLocation();
  useEffect(() => {
    holdNavigations();
    // Tests and other automation wait for this mark instead of a fixed time.
    document.documentElement.dataset.hydrated = "true";
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is shown settles once more
  useEffect(() => settleWhenIdle(), [key]);
  return (
    <html
      lang="en"
      // The script that restores a scroll position sets an attribute before React hydrates.
      suppressHydrationWarning
      data-theme={theme === "system" ? undefined : theme}
      data-hydrated={interactive ? undefined : "never"}
      // Without a script, the page never changes, so it is settled from the start.
      data-settled={interactive ? undefined : "true"}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
        <meta name="color-scheme" content={theme === "system" ? "dark light" : theme} />
        {/* If several match, browsers take the first. */}
        {theme === "system" && <meta name="theme-color" content={FLOOR.light} media="(prefers-color-scheme: light)" />}
        <meta name="theme-color" content={FLOOR[theme === "light" ? "light" : "dark"]} />
        <Meta />
        <Links />
      </head>
      <body>
        {/* Under a dialog, the page is out of reach. */}
        {pageUnderDialog(pathname) === null && (
          <a href="#content" className="skip-link">
            Skip to content
          </a>
        )}
        {children}
        <FollowLinks />
        {interactive && <ScrollRestoration nonce={nonce} getKey={scrollKey} />}
        {interactive && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

/** A route's handle. `withoutScript` means that its page needs no script: it has only links and plain forms. */
interface PageHandle {
  withoutScript?: boolean;
}

export default function App() {
  const session = useLoaderData<typeof loader>();
  const toasts = useToasts(session.toast);
  const matches = useMatches();
  useBrowserZone(session.zone);
  useOfflineCare(session.user?.id);
  // Decided when the document loads: after a client-side navigation, the script is already running.
  const keptForm = useContext(KeptFormContext);
  const [interactive] = useState(
    () => !keptForm && !matches.some(({ handle }) => (handle as PageHandle | undefined)?.withoutScript),
  );
  return (
    <Document interactive={interactive}>
      <AuthProvider session={session}>
        <NavigationProgress />
        <PageAnnouncer />
        <Outlet />
        <Toaster toasts={toasts} />
        <Tooltips />
        <PlayerCards />
        <SearchShortcut />
      </AuthProvider>
    </Document>
  );
}

export function ErrorBoundary() {
  const keptForm = useContext(KeptFormContext);
  const isOffline = statusOf(useRouteError()) === 503;
  return (
    <Document interactive={!keptForm && !isOffline}>
      <ViewerError />
    </Document>
  );
}
