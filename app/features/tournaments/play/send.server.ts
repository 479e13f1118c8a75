import type { Command, Outcome } from "#party/wire/tournament-commands";
import type { RequestContext } from "~/platform/context";

/**
 * Lets a tournament's room read ahead, for a command that may follow: at the same time as the session is looked at, so that
 * the two cost one round trip.
 */
export async function prepareCommand({ env, log }: RequestContext, tournamentId: string): Promise<void> {
  try {
    await env.TOURNAMENT_ROOMS.getByName(tournamentId).prepare();
  } catch (error) {
    // The command finds out by itself.
    log.warn("A tournament's room could not read ahead", { error: String(error) });
  }
}

/**
 * Has a tournament's room carry out a command.
 * @param actorId who asks, as the session has proven
 * @throws what the room throws: above all that the database is away, and nothing was done
 */
export async function sendCommand(
  { env }: RequestContext,
  tournamentId: string,
  actorId: string,
  command: Command,
): Promise<Outcome> {
  return env.TOURNAMENT_ROOMS.getByName(tournamentId).play(actorId, command);
}
