import type { Params } from "@remix-run/react";
import type { RequestContext } from "~/platform/context";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import type { Viewer } from "~/platform/session/viewer";
import { tournamentIdOf } from "../params.server";
import { type Options, optionsIn } from "../play/phase";
import { otherSide } from "../play/state";
import { findMatch, type Match } from "./queries.server";

/** The match identified by an address. */
export interface MatchAddress {
  tournamentId: string;
  matchId: number;
  /** The address of the match's page. */
  here: string;
}

/** @throws a 404 response if the address can't be a match's */
export function matchAddress(params: Params<string>, context: RequestContext, request: Request): MatchAddress {
  const tournamentId = tournamentIdOf(params, context, request);
  const number = params.matchId ?? "";
  if (!/^(?:0|[1-9]\d{0,3})$/.test(number)) notFound(context, request);
  return { tournamentId, matchId: Number(number), here: `/tournaments/${tournamentId}/matches/${number}` };
}

/**
 * Returns the actions available to the viewer in a match: none while the tournament is hidden, because then its room
 * refuses them all.
 * @param viewer null for a guest
 */
export function optionsOf(match: Match, viewer: Pick<Viewer, "id"> | null, now: Date): Options {
  const { side, isCaptain, isOrganiser } = match.viewer;
  const who =
    viewer && !match.tournament.isHidden
      ? { side, isCaptain, isOrganiser }
      : { side: null, isCaptain: false, isOrganiser: false };
  const [one, two] = match.checkedInAt;
  return optionsIn({ ...match, tournament: match.tournament.state, checkedIn: [one !== null, two !== null] }, who, now);
}

/** The toast that replaces a dialog whose action is no longer possible. */
const TOO_LATE = {
  kind: "error",
  title: "Error",
  description: "The match has moved on, so you can't do that now.",
} as const;

/**
 * Finds the match for a dialog over its page, if the viewer may take the dialog's action. One round trip.
 * @throws a redirect to the match's page if they may not, unless the dialog is rendered in response to a posted form
 */
export async function requireOption(
  context: RequestContext,
  request: Request,
  { tournamentId, matchId, here }: MatchAddress,
  option: keyof Options,
): Promise<Match> {
  const [viewer, match] = await Promise.all([
    requireViewer(context, request),
    findMatch(context.db, tournamentId, matchId, context.claim?.userId ?? null),
  ]);
  if (!match) notFound(context, request);
  if (!optionsOf(match, viewer, context.now)[option] && !context.submitted) {
    throw redirectWithToast(context, here, TOO_LATE);
  }
  return match;
}

/** The name of the team that plays against the viewer's. */
export const opponentOf = ({ teams, viewer }: Match): string =>
  teams[otherSide(viewer.side ?? 1) - 1]?.name ?? "The other team";
