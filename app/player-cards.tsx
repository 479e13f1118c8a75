import { useAuth } from "~/features/auth/shared/auth-context";
import { IntentLayer } from "~/ui/tooltips/intent-layer";

/** Finds the link to a player's page that a place belongs to, unless that page is the current one. */
function findPlayerLink(place: Element): HTMLAnchorElement | null {
  const link = place.closest<HTMLAnchorElement>('a[href^="/players/"]');
  return link && /^.players.[^/]+$/.test(link.pathname) && link.pathname !== location.pathname ? link : null;
}

const load = () => import("./player-cards.client").then(({ PlayerCardLayer }) => PlayerCardLayer);

/** Cards over links to players, for players who are signed in. */
export const PlayerCards = () => useAuth().user && <IntentLayer find={findPlayerLink} load={load} />;
