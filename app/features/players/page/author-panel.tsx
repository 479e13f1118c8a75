import { Rating } from "~/features/feedback/shared/stars";
import { Link } from "~/ui/link";
import { PlayerHours, Playstyle } from "./player-facts";
import type { PublicProfile } from "./public-profile.server";

/**
 * The panel about the author, beside their post: the reviews, voice, languages, tags, description and hours that they
 * share.
 */
export function AuthorPanel({
  player,
  rating,
}: {
  player: PublicProfile;
  /** Null if the author hides their reviews. */
  rating: { score: number | null; count: number } | null;
}) {
  const { id, tags, voice, languages, description } = player;
  const facts = [voice, languages.join(", ")].filter(Boolean);
  return (
    <aside aria-label="About the author" className="post-about">
      {rating && (
        <Link to={`/players/${id}#feedback`} className="post-rating">
          <Rating score={rating.score} count={rating.count} />
        </Link>
      )}
      {facts.length > 0 && <p className="text-meta text-muted">{facts.join(" · ")}</p>}
      <Playstyle tags={tags} />
      {description && (
        <p dir="auto" className="line-clamp-4 wrap-anywhere whitespace-pre-line">
          {description}
        </p>
      )}
      <PlayerHours player={player} />
    </aside>
  );
}
