import { amount } from "../money";
import type { TournamentRow } from "../queries.server";
import { toLocal } from "../zones";
import type { HostFormValues } from "./host-form";
import { DEFAULTS } from "./options";

/** Returns the values of a new tournament's form: empty except for the defaults. */
export function newFormValues(id: string, timeZone: string): HostFormValues {
  return {
    id,
    timeZone,
    title: "",
    description: "",
    entryFee: "",
    prizePool: "",
    maxParticipants: "",
    minRank: "",
    maxRank: "",
    tournamentDate: "",
    registrationDeadline: "",
    format: DEFAULTS.format,
    teamSize: String(DEFAULTS.teamSize),
    bestOf: String(DEFAULTS.bestOf),
    quarterBestOf: "",
    semiBestOf: "",
    lowerFinalBestOf: "",
    finalBestOf: String(DEFAULTS.finalBestOf),
    grandFinal: DEFAULTS.grandFinal,
    groupSize: String(DEFAULTS.groupSize),
    thirdPlace: DEFAULTS.thirdPlace,
    checkInMinutes: String(DEFAULTS.checkInMinutes),
    region: "",
    rules: "",
    seeding: DEFAULTS.seeding,
    tieBreaks: DEFAULTS.tieBreaks,
    lastTieBreak: DEFAULTS.lastTieBreak,
  };
}

/** Returns the values of a tournament's form, with its dates in the time zone that the host entered them in. */
export function formValues(row: TournamentRow): HostFormValues {
  return {
    timeZone: row.timeZone,
    title: row.title,
    description: row.description,
    entryFee: amount(row.entryFee),
    prizePool: amount(row.prizePool),
    maxParticipants: String(row.maxParticipants),
    minRank: row.minRank ?? "",
    maxRank: row.maxRank ?? "",
    tournamentDate: toLocal(row.tournamentDate, row.timeZone),
    registrationDeadline: toLocal(row.registrationDeadline, row.timeZone),
    format: row.format,
    teamSize: String(row.teamSize),
    bestOf: String(row.bestOf),
    quarterBestOf: String(row.quarterBestOf ?? ""),
    semiBestOf: String(row.semiBestOf ?? ""),
    lowerFinalBestOf: String(row.lowerFinalBestOf ?? ""),
    finalBestOf: String(row.finalBestOf),
    grandFinal: row.grandFinal,
    groupSize: String(row.groupSize),
    thirdPlace: row.thirdPlace,
    checkInMinutes: String(row.checkInMinutes),
    region: row.region ?? "",
    rules: row.rules ?? "",
    seeding: row.seeding,
    // The legacy tie-breaks can no longer be chosen.
    tieBreaks: row.tieBreaks === "legacy" ? DEFAULTS.tieBreaks : row.tieBreaks,
    lastTieBreak: row.lastTieBreak,
  };
}

/** Returns the values of a new tournament's form, copied from an old tournament except for its dates. */
export function copyValues(row: TournamentRow, id: string, timeZone: string): HostFormValues {
  return { ...formValues(row), ...{ id, timeZone, tournamentDate: "", registrationDeadline: "" } };
}
