import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { DayBars, sayScale } from "./day-bars";
import type { PublicProfile } from "./public-profile.server";

/** A player's facts, in lines: rank, role and agents; playstyle; region, languages and voice; Discord tag. */
export function PlayerFacts({ player }: { player: PublicProfile }) {
  const { rank, role, agents, region, tags, voice, languages, discordTag } = player;
  const facts = [region, languages.join(", "), voice].filter(Boolean);
  return (
    <div className="grid gap-2.5">
      <p className="flex min-h-5 flex-wrap items-center gap-x-3.5 gap-y-1 text-meta">
        {rank ? (
          <span className="inline-flex items-center gap-2">
            <RankBadge rank={rank} />
            <span className="text-muted">self-reported</span>
          </span>
        ) : (
          <span className="text-muted">No rank set</span>
        )}
        {role && <RoleChip role={role} />}
        {agents.length > 0 && <span className="text-muted">{agents.join(", ")}</span>}
      </p>
      <Playstyle tags={tags} />
      {facts.length > 0 && <p className="text-meta text-muted">{facts.join(" · ")}</p>}
      {discordTag && (
        <p className="text-meta">
          <span className="text-muted">Discord</span> <span className="font-semibold wrap-anywhere">{discordTag}</span>
        </p>
      )}
    </div>
  );
}

/** A player's playstyle tags; renders nothing without any. */
export function Playstyle({ tags }: Pick<PublicProfile, "tags">) {
  if (tags.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label="Playstyle">
      {tags.map((tag) => (
        <li key={tag} dir="auto" className="rounded-badge bg-raised px-2 py-0.5 text-badge font-semibold wrap-anywhere">
          {tag}
        </li>
      ))}
    </ul>
  );
}

/** A player's play times in their own words, and their hours by the visitor's clock; renders nothing without either. */
export function PlayerHours({ player }: { player: PublicProfile }) {
  const { hours, mine, playTimes, hour12 } = player;
  if (!hours && !playTimes) return null;
  return (
    <section aria-labelledby="when" className="profile-section">
      <h2 id="when" className="profile-legend">
        When They Play
      </h2>
      {playTimes && (
        <p dir="auto" className="wrap-anywhere">
          {playTimes}
        </p>
      )}
      {hours && (
        <div className="mt-3">
          <DayBars theirs={hours} mine={mine} hour12={hour12} />
          <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-meta text-muted">
            {mine && (
              <>
                <span className="day-bars-key" data-of="both">
                  free when you are
                </span>
                <span className="day-bars-key">their other hours</span>
              </>
            )}
            <span>{sayScale(player)}</span>
          </p>
        </div>
      )}
    </section>
  );
}
