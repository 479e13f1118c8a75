import { type BrowserContext, expect, type Request, type Response } from "@playwright/test";
import { inArray } from "drizzle-orm";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { openTexts } from "../../app/platform/email/outbox.server";
import { outbox, pendingSignups, users } from "../../db/schema";
import { type App, LOCAL_SECRET } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { openTestDatabase } from "./database";
import { LOCAL_KEYS } from "./mailbox";

/*
 * No response and no log line may hold another player's email address, an emailed code or link, a password, a hash
 * or a secret. The fixtures check every page of every browser test, so a leak fails the test that meets it.
 */

/** Matches from the start of a word only. Otherwise a failed search would start again at each of the word's letters. */
const ADDRESS = /(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Addresses that our own texts contain. */
const OUR_ADDRESSES = ["name@example.com", "no-reply@lineup.example"];
const TEXTS = /^(text\/html|text\/x-script|application\/json|text\/plain)/;
/** `/dev/…` is for developers: the mailbox shows everyone's email. */
const LOCAL_TOOLS = /^\/dev\//;

interface RecordedResponse {
  path: string;
  body: string;
  /** The player whose session the request carried. */
  userId: string | undefined;
  /** The session's token, which only the cookie may hold. */
  token: string | undefined;
  /** The token of the sign-up that the browser has started. Its email address may come from a provider. */
  signup: string | undefined;
}

/**
 * Records the app's text responses to a browser context, except those from `/dev/…` and those to service workers.
 * @returns a check to call at the test's end: it fails and lists the leaks it found
 */
export function listenForLeaks(context: BrowserContext, app: App): () => Promise<void> {
  const answers: Promise<RecordedResponse | undefined>[] = [];
  /** Addresses that this browser has sent itself: the responses may repeat them. */
  const typed = new Set<string>();
  const noteRequest = (request: Request) => {
    for (const address of addressesIn(decode(`${request.url()} ${request.postData() ?? ""}`))) typed.add(address);
  };
  const noteResponse = (response: Response) => {
    // Playwright can't read the bodies of a service worker's own requests.
    if (response.request().serviceWorker()) return;
    const { pathname } = new URL(response.url());
    const isText = TEXTS.test(response.headers()["content-type"] ?? "");
    if (response.url().startsWith(app.url) && isText && !LOCAL_TOOLS.test(pathname)) answers.push(readAnswer(response));
  };
  context.on("request", noteRequest);
  context.on("response", noteResponse);

  return async () => {
    context.off("request", noteRequest);
    context.off("response", noteResponse);
    const read = (await Promise.all(answers)).filter((answer) => answer !== undefined);
    const db = openTestDatabase(app);
    const ids = [...new Set(read.flatMap(({ userId }) => userId ?? []))];
    const signups = [...new Set(read.flatMap(({ signup }) => (signup ? hashToken(signup) : [])))];
    const [begun, viewers, mailed] = await Promise.all([
      db.select({ email: pendingSignups.email }).from(pendingSignups).where(inArray(pendingSignups.id, signups)),
      db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids)),
      findMailedSecrets(app),
    ]);
    // A player's address may have changed during the test, so every address that the browser has used may appear.
    const own = new Set([...typed, ...[...viewers, ...begun].map(({ email }) => email), ...OUR_ADDRESSES]);
    const leaks = read.flatMap(({ path, body, token }) => [
      ...addressesIn(body)
        .filter((address) => !own.has(address))
        .map((address) => `${path} holds the address ${address}`),
      ...(token && body.includes(token) ? [`${path} holds the session's token`] : []),
      ...secretsIn(body, mailed)
        .filter(({ secret }) => secret === undefined || !path.includes(secret))
        .map(({ what }) => `${path} holds ${what}`),
    ]);
    expect([...new Set(leaks)], "leaks to this browser").toEqual([]);
  };
}

/** Fails when the Worker has logged an address, a secret, or a code or token that was emailed. */
export async function expectSilentLogs(app: App): Promise<void> {
  const mailed = await findMailedSecrets(app);
  const leaks = app.logs.flatMap(({ message }) => [
    ...addressesIn(message).map((address) => `the address ${address} in: ${message}`),
    ...secretsIn(message, mailed).map(({ what }) => `${what} in: ${message}`),
  ]);
  expect(leaks, "leaks in the log").toEqual([]);
}

async function readAnswer(response: Response): Promise<RecordedResponse | undefined> {
  const { pathname, search } = new URL(response.url());
  try {
    const cookie = (await response.request().allHeaders()).cookie ?? "";
    const [, userId, token] = cookie.match(/lineup_session=([\w-]+)\.([\w-]+)\./) ?? [];
    const [, signup] = cookie.match(/lineup_signup=([\w-]+)/) ?? [];
    return { path: pathname + search, body: decode(await response.text()), userId, token, signup };
  } catch {
    // The page has navigated away, and the browser has discarded the response.
    return undefined;
  }
}

/**
 * Builds one expression for the codes and tokens in all emails that the app still holds: a page is searched for all of
 * them in one pass, because a run has hundreds.
 */
async function findMailedSecrets(app: App): Promise<RegExp | undefined> {
  const rows = await openTestDatabase(app).select().from(outbox);
  const bodies = rows.map((row) => openTexts(LOCAL_KEYS, row).body);
  const secrets = bodies.flatMap((body) => [
    ...(body?.match(/\b\d{6}\b/g) ?? []),
    ...[...(body ?? "").matchAll(/[?&]token=([\w-]+)/g)].map(([, token]) => token as string),
  ]);
  if (secrets.length === 0) return undefined;
  return new RegExp(`(?<![\\w.-])(?:${[...new Set(secrets)].join("|")})(?![\\w.-])`, "g");
}

/** Lists the secrets in a text; `secret` is set for those that were emailed. */
function secretsIn(text: string, mailed: RegExp | undefined): { what: string; secret?: string }[] {
  const found: { what: string; secret?: string }[] = [];
  if (/scrypt\$\d/.test(text)) found.push({ what: "a password's hash" });
  if (text.includes(LOCAL_SECRET)) found.push({ what: "a secret of the site" });
  if (text.includes(PASSWORD)) found.push({ what: "a password" });
  for (const secret of new Set(mailed && text.match(mailed))) {
    found.push({ what: `an emailed secret (${secret})`, secret });
  }
  return found;
}

const addressesIn = (text: string) => (text.match(ADDRESS) ?? []).map((address) => address.toLowerCase());

/** Decodes the escapes that can hide an address: `%40` and `&#64;` are an @, too. */
function decode(text: string): string {
  return text.replaceAll(/%40|&#64;|&#x40;|\\u0040/gi, "@").replaceAll("&amp;", "&");
}
