import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { and, eq, isNotNull } from "drizzle-orm";
import { eraseAccount } from "../app/features/account/deletion.server";
import {
  confirmForPlayer,
  endSessionsOf,
  type FoundAccount,
  findAccounts,
  makeResetLink,
} from "../app/features/account/operator.server";
import { suspendAccount, unsuspendAccount } from "../app/features/moderation/decisions/suspension.server";
import { grantRole, revokeRole } from "../app/features/moderation/roles/commands.server";
import type { ModerationActor } from "../app/features/moderation/shared/log.server";
import { isUpheld } from "../app/features/moderation/shared/upheld.server";
import { buildRiotAccountLink } from "../app/features/riot/commands.server";
import type { RiotAccountData } from "../app/features/riot/rules";
import { leaveTeams } from "../app/features/teams/shared/leaving.server";
import { leaveTournaments } from "../app/features/tournaments/shared/leaving.server";
import { DatabaseUnavailableError, openDatabase } from "../db/client";
import { users } from "../db/schema";
import { STAFF_ROLES, type StaffRole } from "../db/words/staff-roles";
import { CASE_COMMANDS, type CaseOptions, LEAVES, REPEATED, readEnd, readRule, ruleKeys } from "./admin/moderation";
import { DEV_SETTINGS, readEncryptionKeys, withOrigin } from "./admin/settings";
import { UsageError } from "./admin/usage-error";
import { ROOT } from "./local/build";
import { stopOnSignal } from "./local/children";
import { startSqld } from "./local/sqld";

const USAGE = `npm run admin -- COMMAND PLAYER [options]

PLAYER is an email address, a user id, or a Riot ID (name#tag).

  find PLAYER                    prints the facts of an account
  confirm PLAYER                 confirms the email address and links the Riot account of the sign-up. Needs
                                 ENCRYPTION_KEY as the Worker has it, to see a ban that stands against the account
  end-sessions PLAYER            signs the player out everywhere
  reset-link PLAYER              prints a link for setting a new password, which works once, for ten minutes. Using it
                                 proves the address, as if it had come by email
  suspend PLAYER --rule KEY --reason TEXT
                                 suspends until the time of --until, or bans without it. Either way it closes the
                                 player's posts, and the cron's next run takes the player out of teams and cancels
                                 tournaments that nobody else runs. Signing in then opens only the decision, the appeal,
                                 their data and the deletion
  unsuspend PLAYER               lets them in again; --reason says why
  lift TRACE --reason TEXT       lets new accounts use the address and the Riot account of an account that was erased
                                 while suspended or banned. TRACE is that address, or the Riot account's PUUID. Needs
                                 ENCRYPTION_KEY as the Worker has it
  erase PLAYER --yes             removes the account for good, at once, and its pictures with the cron's next run.
                                 Moderators can see a reported picture for as long as its case exists
  grant ROLE PLAYER              makes the player a "moderator" or an "admin", in place of another role
  revoke ROLE PLAYER             takes that role away, at once
  cases                          lists a page of the queue: the open cases, urgent ones first, then the oldest. Filters
                                 are --state closed, --kind KIND, --order reports, --urgent, --flagged, --admin (those
                                 handed to the admins) and --assigned MODERATOR (a user id); --after prints the next
                                 page, as it does for appeals and log
  case ID                        prints a case as its page shows it: the thing as it was reported and as it is now, its
                                 reports with records, decisions and notes, and other cases about the player
  decide ID ACTION --reason TEXT decides a case: dismiss, hide, restore, warn, limit, suspend, ban, hand-over or undo.
                                 Those that find a fault need --rule, limit and suspend need --until, limit needs
                                 --scopes
  undo ID --reason TEXT          undoes the case's latest decision that still stands
  appeals                        lists a page of the appeals that wait for an answer, the oldest first
  appeal ID                      prints an appeal, with its decision
  appeal ID grant|reject --reason TEXT
                                 answers it; granting undoes the decision. You can't answer an appeal against a
                                 decision made under your own name
  assign ID MODERATOR            gives a case to a moderator, by their user id, or to "none"
  note ID TEXT                   leaves a note on a case
  log [ID]                       prints a page of the moderation log, the newest entry first: all of it, or what
                                 concerns the player or the case with this id. --by NAME picks the entries of one
                                 person, such as "operator Kim"

  --rule KEY     the rule of /rules that was broken: respect, hate, spam …
  --until WHEN   when a limit or a suspension ends: 2027-01-31, 2027-01-31T18:00Z, or 7d
  --scopes LIST  what a limit forbids: some of posting,messaging,hosting,joining
  --as NAME      your name, which the moderation log keeps with every change; by default the value of LINEUP_OPERATOR,
                 or else your user name on this machine

  --json         prints JSON
  --origin URL   where the site is, for the links that players get; by default APP_ORIGIN, or http://localhost:8788 for
                 the database of \`npm run dev\`. Commands that give a player a link, in an email or by hand, refuse to
                 run without it
  --help

LIBSQL_URL and LIBSQL_AUTH_TOKEN name the database; without them it is the one of \`npm run dev\` on this machine.
Every change is recorded in the moderation log, with your name. Changes to an account, such as a suspension or a role,
are also in its audit log. Rooms are not told: sockets of a player who was signed out close within five minutes, and
cannot send meanwhile. The cron's next run removes hidden content from open tabs, and hidden pictures from their public
addresses.`;

/** The folder of `npm run dev`'s database. While that command runs, the file `DEV_SETTINGS` has the database's URL. */
const DEV_DATABASE = join(ROOT, ".data/libsql");

/** The input of a command. */
interface Task {
  db: ReturnType<typeof openDatabase>["db"];
  now: Date;
  /** The site's URL, for links; null if it is unknown. */
  origin: string | null;
  account: FoundAccount;
  /** The operator, for the moderation log. */
  actor: ModerationActor;
  /** The role of `grant` and `revoke`; other commands ignore it. */
  role: StaffRole;
  options: CaseOptions;
  yes: boolean;
}

/** The result of a command: a sentence, and further facts for `--json`. */
type Outcome = { done: string } & Record<string, unknown>;

const COMMANDS: Record<string, (task: Task) => Promise<Outcome>> = {
  confirm: async (task) => {
    if (task.account.emailConfirmedAt) return { done: "The address was confirmed already." };
    const { db, now, account, actor } = task;
    const link = (found: RiotAccountData) => {
      const keys = readEncryptionKeys();
      if (keys.length === 0) {
        throw new UsageError(
          "The sign-up's Riot account would be linked. To see a ban against it, set ENCRYPTION_KEY as the Worker has it.",
        );
      }
      const isBarred = isUpheld(keys, now, { puuid: found.puuid });
      return buildRiotAccountLink(db, account.id, found, now, true, isBarred);
    };
    const riot = await confirmForPlayer(task, account.id, actor, link);
    const done = "The address counts as confirmed.";
    if (!riot) return { done };
    const { riotId, isLinked } = riot;
    const told = isLinked
      ? `${riotId} is linked.`
      : `${riotId} is not linked: another player holds it, or a ban stands against it.`;
    return { done: `${done} ${told}`, riot };
  },
  "end-sessions": async (task) => {
    const ended = await endSessionsOf(task, task.account.id, task.actor);
    return { done: `Sessions ended: ${ended}.`, ended };
  },
  "reset-link": async (task) => {
    const { link, expiresAt } = await makeResetLink(withOrigin(task), task.account, task.actor);
    const given = `It works once, until ${expiresAt.toISOString()}. Give it to the player alone.`;
    return { done: [link, given, ...listProven(task.account)].join("\n"), link, expiresAt };
  },
  suspend: async (given) => {
    const task = withOrigin(given);
    const reason = task.options.reason?.trim();
    if (!reason) throw new UsageError("suspend needs --reason: the player reads it.");
    const until = readEnd(task.options.until, task.now);
    const rule = readRule(task.options.rule);
    if (rule === null) throw new UsageError(`suspend needs --rule: ${ruleKeys()}.`);
    const suspension = { reason, rule, until };
    const { outcome } = await suspendAccount(task, task.account.id, suspension, task.actor);
    if (outcome === "repeated") return { done: REPEATED };
    if (outcome !== "decided") throw new Error("Someone else has just decided about this player.");
    return { done: `The account is suspended. ${LEAVES}` };
  },
  unsuspend: async (task) => {
    if (!task.account.suspendedAt) return { done: "The account was not suspended." };
    const reason = task.options.reason?.trim() || "Lifted by an operator.";
    const isLifted = await unsuspendAccount(withOrigin(task), task.account.id, reason, task.actor);
    if (!isLifted) throw new Error("Someone else has just suspended the player again: that decision stands.");
    return { done: "The account is no longer suspended." };
  },
  grant: async (task) => {
    const { role } = task;
    const name = ROLE_NAMES[role];
    if (!(await grantRole(task, task.actor, task.account.id, role))) return { done: `The player is ${name} already.` };
    const done = `The player is now ${name}.`;
    if (task.account.hasTwoFactor) return { done };
    return { done: `${done} Until they set up two-factor, the moderation pages only lead them to its setup.` };
  },
  revoke: async (task) => {
    const { role } = task;
    const isRevoked = await revokeRole(task, task.actor, task.account.id, role);
    if (!isRevoked) throw new Error(`The player is not ${ROLE_NAMES[role]}.`);
    return { done: `The player is no longer ${ROLE_NAMES[role]}.` };
  },
  erase: async (task) => {
    if (!task.yes) throw new UsageError("erase can't be undone. Add --yes if you mean it.");
    const keys = readEncryptionKeys();
    const isSuspended = and(eq(users.id, task.account.id), isNotNull(users.suspendedAt));
    // Several transactions, so that no single one grows with the player's data. Between them, the player may go on
    // joining, and moderators may suspend them.
    let isGone = false;
    while (!isGone) {
      if (keys.length === 0 && (await task.db.$count(users, isSuspended)) > 0) {
        throw new UsageError(
          "The account is suspended. To make that outlive the account, set ENCRYPTION_KEY as the Worker has it.",
        );
      }
      await leaveTeams(task.db, task.account.id, task.now);
      await leaveTournaments(task.db, task.account.id, task.now);
      ({ isGone } = await eraseAccount({ ...task, keys }, task.account, task.actor));
    }
    return {
      done: "The account is erased. The cron's next run, within five minutes, takes its pictures off the site.",
    };
  },
};

/**
 * Lists the other effects of using a reset link: it proves the email address, as if the player had received the link
 * there.
 */
const listProven = ({ email, emailConfirmedAt, emailFailedAt }: FoundAccount): string[] => [
  ...(emailConfirmedAt
    ? []
    : [
        `Using it confirms ${email}, and removes what was set up before: two-factor, linked and verified accounts, and the calendar address.`,
      ]),
  ...(emailFailedAt
    ? [`Our emails don't reach ${email}. Using the link counts as proof that they do: a wrong address must be changed.`]
    : []),
];

const ROLE_NAMES: Record<StaffRole, string> = { moderator: "a moderator", admin: "an admin" };

try {
  await main();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(error.message);
    process.exit(2);
  }
  if (error instanceof DatabaseUnavailableError) {
    console.error(`${error.message}. If it made a change all the same, \`log\` lists it.`);
  } else console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function main(): Promise<void> {
  const { command, words, json, origin, as, options, ...given } = readArguments();
  const [player = ""] = words;
  const run = COMMANDS[command];
  const aboutCases = CASE_COMMANDS[command];
  if (!run && !aboutCases && command !== "find") throw new UsageError(`There is no command ${command}.\n\n${USAGE}`);
  if (!player && !aboutCases)
    throw new UsageError(`${command} needs a player: an email address, a user id or a Riot ID.`);

  const { url, authToken, name, stop } = await findDatabase();
  stopOnSignal(stop);
  try {
    // Not to standard output, which a program may be reading.
    console.error(`Database: ${name}`);
    const { db } = openDatabase({ url, authToken });
    const now = new Date();
    if (aboutCases) {
      const answer = await aboutCases({ db, now, origin, actor: { operator: as }, words, options });
      console.log(json ? JSON.stringify(answer.json, null, 2) : answer.text);
      return;
    }
    const found = await findAccounts({ db, now }, player);
    if (found.length === 0) throw new Error(`There is no account ${player}.`);
    if (!run) {
      console.log(json ? JSON.stringify(found, null, 2) : found.map(show).join("\n\n"));
      return;
    }
    const [account, ...others] = found as [FoundAccount, ...FoundAccount[]];
    if (others.length > 0) {
      throw new UsageError(`Several accounts fit; name one by its id:\n${found.map(({ id }) => `  ${id}`).join("\n")}`);
    }
    const outcome = await run({
      ...{ db, now, origin, account, actor: { operator: as }, role: given.role },
      ...{ options, yes: given.yes },
    });
    console.log(json ? JSON.stringify({ command, userId: account.id, ...outcome }, null, 2) : outcome.done);
  } finally {
    await stop();
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        origin: { type: "string" },
        reason: { type: "string" },
        rule: { type: "string" },
        until: { type: "string" },
        scopes: { type: "string" },
        state: { type: "string" },
        kind: { type: "string" },
        order: { type: "string" },
        urgent: { type: "boolean", default: false },
        flagged: { type: "boolean", default: false },
        admin: { type: "boolean", default: false },
        assigned: { type: "string" },
        after: { type: "string" },
        by: { type: "string" },
        yes: { type: "boolean", default: false },
        as: { type: "string", default: process.env.LINEUP_OPERATOR || userInfo().username },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const [command, ...words] = positionals;
    const role = command === "grant" || command === "revoke" ? readRole(words.shift()) : "moderator";
    const rest = words.slice(command && command in CASE_COMMANDS ? 2 : 1);
    if (!command) throw new Error("Name a command.");
    if (rest.length > 0)
      throw new Error(`Unexpected arguments: ${rest.join(" ")}. Put arguments with spaces in quotes.`);
    const { json, origin: site = process.env.APP_ORIGIN, yes, as: name, help: _, ...options } = values;
    const as = name.trim();
    if (!as) throw new Error("--as needs a name.");
    return { as, json, yes, role, command, words, options, origin: readOrigin(site) };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

/** Reads the site's URL. @returns null if it is unknown: only the local database's site has a default */
function readOrigin(site: string | undefined): string | null {
  const url = site || (process.env.LIBSQL_URL ? undefined : "http://localhost:8788");
  if (url === undefined) return null;
  // Without this check, `localhost:8788` would count as a URL with the scheme `localhost:` and the origin "null".
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new Error(`${url} is not an address that begins with https:// or http://.`);
  }
  return new URL(url).origin;
}

/** Reads the role of `grant` and `revoke`. @throws Error if the word isn't a role */
function readRole(word: string | undefined): StaffRole {
  const role = STAFF_ROLES.find((one) => one === word);
  if (!role) throw new Error(`Which role? It is one of: ${STAFF_ROLES.join(", ")}.`);
  return role;
}

interface ChosenDatabase {
  url: string;
  authToken: string | undefined;
  /** The database's name, as the operator sees it. */
  name: string;
  stop(): Promise<void>;
}

/**
 * Chooses the database: `LIBSQL_URL` from the environment, or else that of a running `npm run dev`, or else its folder,
 * opened for the duration of the command.
 */
async function findDatabase(): Promise<ChosenDatabase> {
  const doNothing = async () => undefined;
  const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = process.env;
  if (LIBSQL_URL) {
    return { url: LIBSQL_URL, authToken: LIBSQL_AUTH_TOKEN, name: `${LIBSQL_URL} (LIBSQL_URL)`, stop: doNothing };
  }
  if (existsSync(DEV_SETTINGS)) {
    const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = parseEnv(readFileSync(DEV_SETTINGS, "utf8"));
    const name = `${url} (the running npm run dev)`;
    if (url) return { url, authToken, name, stop: doNothing };
  }
  if (!existsSync(DEV_DATABASE)) {
    throw new Error("There is no database: set LIBSQL_URL (and LIBSQL_AUTH_TOKEN), or run npm run dev once.");
  }
  const { url, stop } = await startSqld({ dir: DEV_DATABASE });
  const name = ".data/libsql (of npm run dev, which is not running)";
  return { url, authToken: undefined, name, stop };
}

/** Formats an account, one fact per line; facts that are null are left out. */
function show(account: FoundAccount): string {
  const { id, email, log, linked, ...rest } = account;
  const lines = Object.entries(rest).flatMap(([name, value]) => {
    if (value === null) return [];
    return [[name, value instanceof Date ? value.toISOString() : String(value)]];
  });
  const rows = [["id", id], ["email", email], ...lines, ...linked.map((one) => ["linked", one])];
  const entries = log.map(({ at, actor, action }) => `  ${at}  ${action} (${actor})`);
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return [
    ...rows.map(([name = "", value]) => `${name.padEnd(width)}  ${value}`),
    ...(entries.length > 0 ? ["log", ...entries] : []),
  ].join("\n");
}
