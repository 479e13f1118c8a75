import { amount } from "../money";
import type { TournamentView } from "../present.server";

/**
 * Describes a tournament for search engines, as schema.org's `SportsEvent`. Remix escapes `<`, `>` and `&` in it, so a
 * title can't close the script element.
 * @param page the absolute address of its page
 * @see https://schema.org/SportsEvent
 */
export function structuredData(tournament: TournamentView, summary: string, page: string) {
  const { origin } = new URL(page);
  const { host, feeCents } = tournament;
  return {
    "@context": "https://schema.org",
    "@type": "SportsEvent",
    name: tournament.title,
    description: summary,
    url: page,
    sport: "VALORANT",
    image: `${origin}/og.png`,
    startDate: tournament.date.iso,
    eventStatus: `https://schema.org/${tournament.state === "cancelled" ? "EventCancelled" : "EventScheduled"}`,
    eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
    location: { "@type": "VirtualLocation", url: page },
    organizer: host
      ? { "@type": "Person", name: host.name, url: `${origin}/players/${host.id}` }
      : { "@type": "Organization", name: "Lineup", url: origin },
    isAccessibleForFree: feeCents === 0,
    ...(feeCents > 0 && {
      offers: {
        "@type": "Offer",
        price: amount(feeCents),
        priceCurrency: "USD",
        availability: `https://schema.org/${tournament.phase === "registration" && tournament.entered < tournament.places ? "InStock" : "SoldOut"}`,
        validThrough: tournament.deadline.iso,
        url: page,
      },
    }),
  };
}
