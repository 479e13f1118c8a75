import { PASSWORD, type World } from "../worlds";

const ACCOUNT = `player1@example.com, password ${PASSWORD}`;

/** Describes who can sign in to a site that was just started: a world's first player, if it has one. */
export function signInHints(world: World, { seeded, url }: { seeded: boolean; url: string }): string[] {
  if (seeded) return [`Sign in as ${ACCOUNT}.`];
  const signUp = `sign up at ${url}/auth?tab=sign-up`;
  if (world === "empty") return [`The world “empty” has no players: ${signUp}.`];
  return [
    "The database already holds players, so it is used as it is.",
    `If a world's seed created them, sign in as ${ACCOUNT}; otherwise ${signUp}.`,
  ];
}
