import type { ReportKind } from "#db/words/report-kinds";

/** A thing that moderators can hide, as a case names it. */
export interface Hideable {
  kind: ReportKind;
  id: string;
}
