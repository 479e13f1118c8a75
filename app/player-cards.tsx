import { useAuth } from "~/features/auth/shared/auth-context";
import { IntentLayer } from "~/ui/tooltips/intent-layer";

/** Finds the link to a player's page around an element, unless that page is the current one. */
function findPlayerLink(place: Element): HTMLAnchorElement | null {
  const link = place.closest<HTMLAnchorElement>('a[href^="/players/"]');
  return link && /^.players.[^/]+$/.test(link.pathname) && link.pathname !== location.pathname ? link : null;
}

const load = () => import("./player-cards.client").then(({ PlayerCardLayer }) => PlayerCardLayer);

/** Shows cards over links to players, for signed-in players. */
export const PlayerCards = () => useAuth().user && <IntentLayer find={findPlayerLink} load={load} />;
