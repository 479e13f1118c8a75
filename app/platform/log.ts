/**
 * The fields of a log line besides its message: never secrets, codes, email addresses or query strings. Tokens are
 * removed from `path` here, because invitations and calendar feeds have them in their paths.
 */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /**
   * @param cause the error behind the line, logged with its name, message and stack, and with the name and message of
   *   its own cause
   */
  error(message: string, cause?: unknown, fields?: LogFields): void;
}

/**
 * A path segment that may be a token (`createToken`): it is long and not an id. Percent-encoded characters are matched
 * as part of it.
 */
const TOKEN = /(?<![\w%-])(?![\da-f-]{36}(?![\w%-]))[\w%-]{20,}/g;

/** Creates a logger that writes one JSON object per line, each with the fields of `base` (usually the request id). */
export function createLogger(base: LogFields): Logger {
  const write = (level: "info" | "warn" | "error", message: string, fields?: LogFields) => {
    const line: LogFields = { level, message, ...base, ...fields };
    if (typeof line.path === "string") line.path = line.path.replace(TOKEN, "***");
    console[level === "info" ? "log" : level](JSON.stringify(line));
  };
  return {
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, cause, fields) => write("error", message, { ...fields, ...describe(cause) }),
  };
}

function describe(cause: unknown): LogFields {
  if (cause === undefined) return {};
  if (!(cause instanceof Error)) return { error: typeof cause === "string" ? cause : "not an Error" };
  // Drizzle puts a failed statement's parameters into its message; they may hold anything that a player typed.
  const message = cause.message.split("\nparams:")[0];
  const inner = cause.cause instanceof Error ? `${cause.cause.name}: ${cause.cause.message}` : undefined;
  const stack = cause.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { error: `${cause.name}: ${message}`, cause: inner, stack: stack?.slice(0, 12).join("\n") };
}
