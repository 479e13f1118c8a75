import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * Tells the open pages of a tournament to reload after a change outside its room, such as a registration or an edit.
 */
export function tellTournament({ env, defer }: RoomCaller, tournamentId: string): void {
  defer(() => callRoom(() => env.TOURNAMENT_ROOMS.getByName(tournamentId).changed()));
}
