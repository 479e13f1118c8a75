/**
 * What nearly every page loads, in one file. esbuild puts together what the same routes load; left alone these would be
 * a dozen files, each a request and badly compressed (docs/decisions/0019-worker-size.md). So each module here that uses none
 * of the others names this list in turn: who loads one, loads all. package.json says of this file that it has side effects,
 * or esbuild would not look into it.
 *
 * `request-contexts` stays out: the browser's entry loads it, so that this file would become one with React Router's,
 * which browsers keep from one deployment to the next.
 */
import "~/features/game/regions";
import "~/features/game/roles";
import "~/features/game/voice";
import "~/platform/keyset";
import "~/platform/page-meta";
import "~/platform/time-zone";
import "~/platform/use-room";
import "./avatar";
import "./badge";
import "./bell";
import "./button";
import "./dashboard-header";
import "./dialogs";
import "./empty-state";
import "./error-pages";
import "./field";
import "./icons";
import "./loading";
import "./page-announcer";
import "./pagination";
import "./rank-badge";
import "./reason";
import "./relative-time";
import "./role-chip";
import "./ruler";
import "./theme-switch";
import "./toaster";
import "./tooltips";
import "./use-browser-zone";
import "./use-inert-behind-dialog";
import "./use-is-active";
import "./use-scripted";
import "./use-toasts";
