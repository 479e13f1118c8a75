import { FIELD_LABELS, type TournamentField } from "./options";
import type { TournamentFields } from "./schema";

/** The fields that an edit gives another value, as the log names them; empty when it changes nothing. */
export function changedFields(before: Record<TournamentField, unknown>, after: Partial<TournamentFields>): string {
  const names = (Object.keys(FIELD_LABELS) as TournamentField[]).filter((name) => {
    const [was, is] = [before[name], after[name]];
    return is !== undefined && (was instanceof Date ? was.getTime() !== (is as Date).getTime() : was !== is);
  });
  return names.map((name) => FIELD_LABELS[name]).join(", ");
}
