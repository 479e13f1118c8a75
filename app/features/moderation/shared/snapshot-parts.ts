import type { Snapshot } from "#db/schema";

/** The labels of a snapshot's parts, in display order. Other parts are not shown as text. */
export const PART_LABELS: Record<string, string> = {
  author: "Name",
  riotId: "Riot ID",
  title: "Title",
  name: "Team",
  tournament: "Tournament",
  about: "About",
  rating: "Stars",
  message: "Text",
  content: "Message",
  comment: "Comment",
  quoted: "Quote",
  description: "Description",
  rules: "Rules",
  cancelReason: "Reason for cancelling",
  disqualifications: "Reasons for disqualifying",
  tags: "Tags",
  playTimes: "Play times",
  discordTag: "Discord tag",
  requests: "Notes to join teams",
  searches: "Notes to find a team",
  teamDetails: "Party codes and voice links",
  disputes: "Evidence of disputes",
};

/** The parts that are lists of separately written texts. */
const WRITTEN_APART = ["disqualifications", "requests", "searches", "teamDetails", "disputes"];

/** Lists the non-empty parts of a snapshot, each with its label and its texts. */
export function partsOf(snapshot: Snapshot): { part: string; label: string; texts: string[] }[] {
  return Object.entries(PART_LABELS).flatMap(([part, label]) => {
    const texts = textsOf(part, snapshot[part]).filter((text) => text !== "");
    return texts.length > 0 ? [{ part, label, texts }] : [];
  });
}

function textsOf(part: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return [typeof value === "object" ? JSON.stringify(value) : String(value)];
  return WRITTEN_APART.includes(part) ? value.map(String) : [value.join(", ")];
}
