/**
 * Imports the modules that nearly every page loads, so that they end up in one file with the root
 * (docs/decisions/0073-fewer-requests-lighter-pages.md). esbuild groups modules by the entries that load them, and
 * without this list it would make dozens of groups. So the root, every route with a page and the specimens import this
 * list, which makes each of them load all of it. package.json marks this file as having side effects, or esbuild would
 * drop it; .dependency-cruiser.mjs checks that every route imports it.
 */
import "~/game/regions";
import "~/game/roles";
import "~/game/voice";
import "~/platform/lists/keyset";
import "~/platform/pages/page-meta";
import "~/platform/dates/time-zone";
import "~/platform/rooms/use-room";
import "~/ui/avatar";
import "~/ui/badge";
import "~/features/notifications/shared/bell";
import "~/ui/button";
import "~/features/account/keep-account";
import "~/features/auth/shared/auth-context";
import "~/features/blocks/rules";
import "~/features/dashboard/viewer-header";
import "~/features/lfg/rules";
import "~/features/lfg/way-back";
import "~/features/notifications/shared/unread-context";
import "~/features/notifications/use-news-on-page";
import "~/features/riot/rules";
import "~/features/tournaments/states";
import "~/ui/dialogs/dialogs";
import "~/ui/empty-state";
import "~/ui/page/apart";
import "~/ui/page/error-pages";
import "~/ui/forms/field";
import "~/ui/icons";
import "~/ui/link";
import "~/ui/page/loading";
import "~/ui/page/page-announcer";
import "~/ui/page/prerendered";
import "~/ui/pagination";
import "~/ui/game/rank-badge";
import "~/features/players/shared/reason";
import "~/ui/relative-time";
import "~/ui/game/role-chip";
import "~/ui/game/ruler";
import "~/ui/page/theme-switch";
import "~/ui/toasts/toaster";
import "~/ui/tooltips/tooltips";
import "~/ui/hooks/use-browser-zone";
import "~/ui/dialogs/use-inert-behind-dialog";
import "~/ui/hooks/use-is-active";
import "~/ui/hooks/use-is-hydrated";
import "~/ui/toasts/use-toasts";
