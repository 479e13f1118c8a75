/**
 * What the Worker has in place of `@libsql/client/http` (scripts/local/bundle.ts). Drizzle imports it to make a client
 * where it is given none; db/client.ts gives it one.
 */
export function createClient(): never {
  throw new Error("Give Drizzle the client that db/client.ts makes.");
}
