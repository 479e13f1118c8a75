import { FIELD_LABELS, fitsFormat, MATCH_LENGTH, MATCH_LENGTH_FIELDS, type TournamentField } from "./options";
import type { EditedFields } from "./schema";

/** Drops the fields that don't count in the format of an edit: those stay as they were. */
export const fittingFields = (set: EditedFields): EditedFields =>
  Object.fromEntries(
    Object.entries(set).filter(([name]) => !set.format || fitsFormat(name as TournamentField, set.format)),
  );

/** The fields that an edit gives another value, as the log names them; empty when it changes nothing. */
export function changedFields(before: Record<TournamentField, unknown>, after: EditedFields): string {
  const names = (Object.keys(FIELD_LABELS) as TournamentField[]).filter((name) => {
    const [was, is] = [before[name], after[name]];
    return is !== undefined && (was instanceof Date ? was.getTime() !== (is as Date).getTime() : was !== is);
  });
  return [...new Set(names.map(nameInLog))].join(", ");
}

const nameInLog = (name: TournamentField): string =>
  MATCH_LENGTH_FIELDS.some((field) => field === name) ? MATCH_LENGTH : FIELD_LABELS[name];
