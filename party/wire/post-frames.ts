import { type Check, type Checks, createReader, holds, number, text } from "./frames";

/** The part of a post that changes while a card shows it. */
export interface PostState {
  id: string;
  openSpots: number;
  takenSpots: number;
  isOpen: boolean;
}

/** Messages from a room of the list of posts to the pages that show the list. */
export type PostServerMessage =
  /**
   * Sent once when a socket opens: the ids of the posts that have come to the top of the page's list since it was
   * loaded, and the state of the posts on the page.
   */
  | { type: "list"; newer: string[]; shown: PostState[] }
  /**
   * A post was made, bumped or changed. `fits` says whether it passes the page's filters and isn't the viewer's own,
   * `isNew` whether it has moved to the top of the list.
   */
  | ({ type: "post"; fits: boolean; isNew: boolean } & PostState);

const truth: Check = (value) => typeof value === "boolean";
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const state = { id: text, openSpots: number, takenSpots: number, isOpen: truth };

const POSTS: Checks<PostServerMessage> = {
  list: { newer: listOf(text), shown: listOf((value) => holds(state, value)) },
  post: { fits: truth, isNew: truth, ...state },
};

/** Reads a frame from a room of the list of posts; undefined if its type is unknown. */
export const readPostFrame = createReader(POSTS);
