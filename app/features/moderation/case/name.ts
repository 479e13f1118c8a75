import type { Snapshot } from "#db/schema";
import type { ReportKind } from "#db/words/report-kinds";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { KIND_WORDS } from "../queue/filters";

/**
 * Names the subject of a case, for headings: "Message by Jett Main".
 * @param player the player's current name; null if the account is gone
 */
export function nameCase({
  kind,
  snapshot,
  player,
}: {
  kind: ReportKind;
  snapshot: Snapshot;
  player: string | null;
}): string {
  const author = player ?? (typeof snapshot.author === "string" ? snapshot.author : UNKNOWN_PLAYER);
  return kind === "player" ? `${KIND_WORDS[kind]} ${author}` : `${KIND_WORDS[kind]} by ${author}`;
}
