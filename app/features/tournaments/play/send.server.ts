import { DatabaseUnavailableError } from "#db/client";
import type { Command, Outcome } from "#party/wire/tournament-commands";
import type { RequestContext } from "~/platform/context";

/**
 * Lets a tournament's room read ahead for a command that may follow. Run this while the session is being checked, so
 * that the two take one round trip.
 */
export async function prepareCommand({ env, log }: RequestContext, tournamentId: string): Promise<void> {
  try {
    await env.TOURNAMENT_ROOMS.getByName(tournamentId).prepare();
  } catch (error) {
    // Don't fail here: if the room stays unreachable, the command fails anyway.
    log.warn("A tournament's room could not read ahead", { error: String(error) });
  }
}

/**
 * Makes a tournament's room carry out a command.
 * @param actorId the acting player, as proven by the session
 * @throws DatabaseUnavailableError if the database didn't answer the room; the command may still have been carried out
 */
export async function sendCommand(
  { env }: RequestContext,
  tournamentId: string,
  actorId: string,
  command: Command,
): Promise<Outcome> {
  const outcome = await env.TOURNAMENT_ROOMS.getByName(tournamentId).play(actorId, command);
  if (outcome === "unavailable") throw new DatabaseUnavailableError("The database did not answer a tournament's room");
  return outcome;
}
