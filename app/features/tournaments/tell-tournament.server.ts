import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/** Tells the open pages of a tournament that something has changed outside its room: a registration, an edit. */
export function tellTournament({ env, defer }: RoomCaller, tournamentId: string): void {
  defer(() => callRoom(() => env.TOURNAMENT_ROOMS.getByName(tournamentId).changed()));
}
