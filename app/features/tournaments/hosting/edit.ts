import type { EditScope } from "../rules";
import { FIELD_LABELS, fitsFormat, MATCH_LENGTH, MATCH_LENGTH_FIELDS, type TournamentField } from "./options";
import type { EditedFields } from "./schema";

const ALL_FIELDS = Object.keys(FIELD_LABELS) as TournamentField[];

/** The fields in the form for each scope of an edit. */
export const EDITABLE: Record<EditScope, readonly TournamentField[]> = {
  everything: ALL_FIELDS,
  harmless: ["description", "rules", "maxParticipants", "prizePool", "registrationDeadline"],
  words: ["description", "rules"],
  nothing: [],
};

/** Drops fields that don't apply to the edited format, so that they keep their values. */
export const applicableFields = (set: EditedFields): EditedFields =>
  Object.fromEntries(
    Object.entries(set).filter(([name]) => !set.format || fitsFormat(name as TournamentField, set.format)),
  );

/** Lists the fields whose values an edit changes, as the log names them; empty if it changes none. */
export function changedFields(before: Record<TournamentField, unknown>, after: EditedFields): string {
  const names = ALL_FIELDS.filter((name) => {
    const [was, is] = [before[name], after[name]];
    return is !== undefined && (was instanceof Date ? was.getTime() !== (is as Date).getTime() : was !== is);
  });
  return [...new Set(names.map(nameInLog))].join(", ");
}

const nameInLog = (name: TournamentField): string =>
  MATCH_LENGTH_FIELDS.some((field) => field === name) ? MATCH_LENGTH : FIELD_LABELS[name];
