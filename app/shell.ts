/**
 * What nearly every page loads, in one file. esbuild puts together what the same entries load; left alone these would be
 * a dozen files, each a request and badly compressed (docs/decisions/0019-worker-size.md). So the root, every route with a
 * page and the specimens import this list: each of them loads all of it. package.json says of this file that it has side
 * effects, or esbuild would leave it out; .dependency-cruiser.mjs looks that no route forgets it.
 *
 * `request-contexts` stays out: the browser's entry loads it, so that this file would become one with React Router's,
 * which browsers keep from one deployment to the next.
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
import "~/features/dashboard/dashboard-header";
import "~/ui/dialogs/dialogs";
import "~/ui/empty-state";
import "~/ui/page/error-pages";
import "~/ui/forms/field";
import "~/ui/icons";
import "~/ui/page/loading";
import "~/ui/page/page-announcer";
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
import "~/ui/hooks/use-scripted";
import "~/ui/toasts/use-toasts";
