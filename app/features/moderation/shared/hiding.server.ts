import type { SQL } from "drizzle-orm";
import type { Database } from "#db/client";
import type { Results } from "#db/statements";
import type { ReportKind } from "#db/words/report-kinds";
import { switchReview } from "~/features/feedback/shared/hide-review.server";
import { hidePost, restorePost } from "~/features/lfg/shared/hide-post.server";
import {
  hideChatMessage,
  restoreChatMessage,
  tellChangedMessage,
} from "~/features/messages/shared/hide-message.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { hiddenKey, returnPicture, withdrawPicture } from "~/features/players/shared/hidden-picture.server";
import { hidePlayer, restorePlayer } from "~/features/players/shared/hide-player.server";
import { hideTeam, restoreTeam } from "~/features/tournaments/shared/hide-team.server";
import { hideTournament, restoreTournament } from "~/features/tournaments/shared/hide-tournament.server";
import { tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import type { RequestContext } from "~/platform/context";

/** A thing that moderators can hide, as a case names it. */
export interface Hideable {
  kind: ReportKind;
  id: string;
}

/**
 * Builds the statements that hide a subject on every surface; they belong in the transaction of the decision. Hiding a
 * hidden subject changes nothing.
 * @param condition SQL that holds if the decision was made. It must not depend on what the statements change
 * @returns the statements; pass their results to `followHiding` once they are stored
 */
export function hideSubject(db: Database, { kind, id }: Hideable, now: Date, condition: SQL) {
  switch (kind) {
    case "post":
      return { post: hidePost(db, id, now, condition) };
    case "player":
      return { player: hidePlayer(db, id, now, condition) };
    case "message":
      return { message: hideChatMessage(db, id, now, condition) };
    case "review":
      return { review: switchReview(db, id, true, now, condition) };
    case "team":
      return { team: hideTeam(db, id, now, condition) };
    case "tournament":
      return { tournament: hideTournament(db, id, now, condition) };
    default:
      return kind satisfies never;
  }
}

/**
 * Builds the statements that show a hidden subject again, as it was; like `hideSubject` otherwise.
 * @returns the statements; pass their results to `followHiding` once they are stored
 */
export function restoreSubject(db: Database, { kind, id }: Hideable, now: Date, condition: SQL) {
  switch (kind) {
    case "post":
      return { post: restorePost(db, id, now, condition) };
    case "player":
      return { player: restorePlayer(db, id, now, condition) };
    case "message":
      return { message: restoreChatMessage(db, id, condition) };
    case "review":
      return { review: switchReview(db, id, false, now, condition) };
    case "team":
      return { team: restoreTeam(db, id, condition) };
    case "tournament":
      return { tournament: restoreTournament(db, id, now, condition) };
    default:
      return kind satisfies never;
  }
}

/** The results of the statements that hide or restore a subject. */
export type HidingResults = Results<ReturnType<typeof hideSubject>> | Results<ReturnType<typeof restoreSubject>>;

/**
 * Carries out what a transaction can't, once a subject is hidden or shown again: tells open tabs, and moves pictures.
 * It runs after the response.
 */
export function followHiding(
  context: Pick<RequestContext, "db" | "env" | "origin" | "defer">,
  { kind, id }: Hideable,
  results: HidingResults,
): void {
  const { post, player, team, tournament } = results;
  if (post && "told" in post) tellAgain(context, post.told);
  if (tournament && "told" in tournament) tellAgain(context, tournament.told);
  if (kind === "tournament") tellTournament(context, id);
  if (kind === "message") tellChangedMessage(context, id);
  if (team) {
    const { tournamentId } = team.original[0]?.original ?? {};
    if (typeof tournamentId === "string") tellTournament(context, tournamentId);
  }
  const bucket = context.env.AVATARS;
  if (player && bucket) context.defer(() => movePictures(bucket, context.db, player));
}

const tellAgain = (context: Parameters<typeof tellUnread>[0], told: readonly { userId: string }[]) =>
  tellUnread(context, ...new Set(told.map(({ userId }) => userId)));

/** Moves the picture of a player who was hidden or shown again. @param results those of the player's statements */
async function movePictures(
  bucket: R2Bucket,
  db: Database,
  results: Results<ReturnType<typeof hidePlayer>> | Results<ReturnType<typeof restorePlayer>>,
): Promise<void> {
  const kept = pictureIn(results.original);
  if (kept === null) return;
  if ("worn" in results) {
    // A player who has chosen another picture keeps that one.
    if (results.worn[0]?.avatarId === kept) await returnPicture(bucket, kept);
    else await bucket.delete(hiddenKey(kept));
    return;
  }
  const before = pictureIn(results.before);
  if (before === kept) return;
  await withdrawPicture(bucket, db, kept);
  if (before !== null) await bucket.delete(hiddenKey(before));
}

/** Returns the key of the picture in what was kept of a player; null if there is none. */
function pictureIn([kept]: { original: Record<string, unknown> }[]): string | null {
  const { avatarId } = kept?.original ?? {};
  return typeof avatarId === "string" ? avatarId : null;
}
