const secret = "s".repeat(32);
const rooms = { getByName: () => ({}) };

/** The bindings that `parseEnv` requires, with valid values. */
export const REQUIRED_SETTINGS = {
  LIBSQL_URL: "http://localhost:8080",
  SESSION_SECRET: secret,
  ENCRYPTION_KEY: secret,
  CONVERSATION_ROOMS: rooms,
  INBOX_ROOMS: rooms,
  TOURNAMENT_ROOMS: rooms,
  POST_LIST_ROOMS: rooms,
};
