import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * Tells those who look at a tournament that something in it has changed without its room: a registration, an edit.
 */
export function tellTournament({ env, defer }: RoomCaller, tournamentId: string): void {
  defer(() => callRoom(() => env.TOURNAMENT_ROOMS.getByName(tournamentId).changed()));
}
