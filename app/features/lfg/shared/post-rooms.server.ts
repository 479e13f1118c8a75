import type { Env } from "~/platform/env";

/** The number of rooms that share the players. Every change to a post makes a call to each of them. */
const SHARDS = 8;

type Rooms = Pick<Env, "POST_LIST_ROOMS">;

const postListRoom = (env: Rooms, shard: number) => env.POST_LIST_ROOMS.getByName(`posts-${shard}`);

/** Returns all rooms of the list of posts. */
export const postListRooms = (env: Rooms) => Array.from({ length: SHARDS }, (_, shard) => postListRoom(env, shard));

/** Returns the number of the room of a player's open lists: chosen by the last digits of their id, which are random. */
export const postListShard = (userId: string): number => Number.parseInt(userId.slice(-4), 16) % SHARDS || 0;

/** Returns the room of a player's open lists. */
export const postListRoomOf = (env: Rooms, userId: string) => postListRoom(env, postListShard(userId));
