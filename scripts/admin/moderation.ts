import { answerAppeal } from "../../app/features/moderation/appeals/answering.server";
import { findAppeal, listWaitingAppeals } from "../../app/features/moderation/appeals/queries.server";
import { ANSWER_REFUSALS } from "../../app/features/moderation/appeals/rules";
import { addNote, assignCase } from "../../app/features/moderation/case/commands.server";
import { findCasePage, findDecidedCase } from "../../app/features/moderation/case/queries.server";
import { COMMUNITY_RULES, type RuleKey } from "../../app/features/moderation/community-rules";
import { decideByCommand } from "../../app/features/moderation/decisions/command.server";
import { DECISION_REFUSALS } from "../../app/features/moderation/decisions/decision";
import { liftUpheldSuspension } from "../../app/features/moderation/decisions/lifting.server";
import { listModerationLog } from "../../app/features/moderation/log/queries.server";
import { QUEUE } from "../../app/features/moderation/queue/filters";
import { listCases, type QueuedCase } from "../../app/features/moderation/queue/queries.server";
import { ACTION_WORDS, findsFault, hasEnd } from "../../app/features/moderation/rules";
import type { ModerationActor } from "../../app/features/moderation/shared/log.server";
import { pageAfter } from "../../app/platform/lists/keyset";
import { readSearch, writeSearch } from "../../app/platform/search-params/search-params";
import type { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { DECISION_ACTIONS, type DecisionAction } from "../../db/words/decision-actions";
import { RESTRICTION_SCOPES } from "../../db/words/restriction-scopes";
import { withOrigin } from "./settings";
import { UsageError } from "./usage-error";

/*
 * The commands of `npm run admin` that take no PLAYER: those about cases, appeals, erased accounts and the moderation
 * log.
 */

/** The most entries that `log` prints. */
const ENTRIES_SHOWN = 200;

/** The input of a command about cases. */
interface CaseTask {
  db: ReturnType<typeof openDatabase>["db"];
  now: Date;
  /** The site's URL, for links in emails; null if it is unknown. */
  origin: string | null;
  actor: ModerationActor;
  /** The words after the command. */
  words: readonly string[];
  options: CaseOptions;
}

/** The options of the commands about cases, as typed: those of a decision, and the filters of the queue. */
export interface CaseOptions {
  reason?: string | undefined;
  rule?: string | undefined;
  until?: string | undefined;
  scopes?: string | undefined;
  state?: string | undefined;
  kind?: string | undefined;
  order?: string | undefined;
  urgent: boolean;
  flagged: boolean;
  admin: boolean;
  /** A moderator's user id. */
  assigned?: string | undefined;
  /** The end of the previous page, as the command printed it. */
  after?: string | undefined;
  /** The name that the moderation log gives the actor. */
  by?: string | undefined;
}

/** The commands about cases. Each returns text for the operator, and the same as JSON. */
export const CASE_COMMANDS: Record<string, (task: CaseTask) => Promise<{ text: string; json: unknown }>> = {
  cases: async ({ db, options }) => {
    const { filters, cursor, assignee } = readFilters(options);
    const { items, next } = await listCases(db, filters, cursor, null, assignee);
    const lines = items.map((one) =>
      [one.id, new Date(one.createdAt).toISOString(), one.kind, sayState(one), one.author ?? "-", one.excerpt ?? ""]
        .join("  ")
        .trimEnd(),
    );
    if (next) lines.push(`More: --after ${new URLSearchParams(writeSearch(QUEUE, { cursor: next })).get("after")}`);
    return { text: lines.join("\n") || "No cases match these filters.", json: items };
  },
  case: async ({ db, words }) => {
    const id = caseIdIn(words);
    const found = await findCasePage(db, id, null);
    if (!found) throw new Error(`There is no case ${id}.`);
    return { text: JSON.stringify(found, null, 2), json: found };
  },
  decide: async (task) => {
    const action = DECISION_ACTIONS.find((one) => one === task.words[1]);
    if (!action) throw new UsageError(`Which decision? It is one of: ${DECISION_ACTIONS.join(", ")}.`);
    return carryOut(task, action);
  },
  undo: async (task) => carryOut(task, "undo"),
  appeals: async ({ db, options }) => {
    const { items, next } = await listWaitingAppeals(
      db,
      options.after ? pageAfter({ key: null, id: options.after }) : null,
    );
    const lines = items.map(({ id, createdAt, action, kind, player, decider, excerpt }) =>
      [id, createdAt.toISOString(), `${action} of ${player ?? "-"} (${kind})`, `by ${decider}`, excerpt].join("  "),
    );
    if (next) lines.push(`More: --after ${next.id}`);
    return { text: lines.join("\n") || "No open appeals.", json: items };
  },
  appeal: async ({ db, now, origin, actor, words, options }) => {
    const [id, word] = words;
    if (!id) throw new UsageError("Which appeal? Name it by its id: `appeals` lists them.");
    const appeal = await findAppeal(db, id.toLowerCase());
    if (!appeal) throw new Error(`There is no appeal ${id}.`);
    if (word === undefined) return { text: JSON.stringify(appeal, null, 2), json: appeal };
    const outcome = ANSWERS[word];
    if (!outcome) throw new UsageError("Add grant or reject.");
    const reason = options.reason?.trim();
    if (!reason) throw new UsageError(`${word} needs --reason.`);
    const answer = { outcome, reason };
    const { outcome: answered } = await answerAppeal(withOrigin({ db, now, origin }), actor, appeal, answer);
    if (answered !== "answered")
      throw new Error(answered === "missing" ? `There is no appeal ${id}.` : ANSWER_REFUSALS[answered]);
    const done = outcome === "granted" ? "The appeal is granted: the decision is undone." : "The appeal is rejected.";
    return { text: done, json: { done } };
  },
  lift: async ({ db, now, origin, actor, words: [trace], options }) => {
    if (!trace) throw new UsageError("Which trace? Name the erased account's email address, or its PUUID.");
    const reason = options.reason?.trim();
    if (!reason) throw new UsageError("lift needs --reason.");
    const task = withOrigin({ db, now, origin });
    if (task.env.ENCRYPTION_KEY.length === 0)
      throw new UsageError("Set ENCRYPTION_KEY as the Worker has it: traces are kept as hashes.");
    const outcome = await liftUpheldSuspension(task, trace, reason, actor);
    if (outcome === "missing") throw new Error(`No erased account's suspension is on record for ${trace}.`);
    const done = {
      undone: "The decision is undone: a new account can use everything that the erased one had.",
      forgotten: "A new account can use it. No decision was behind it: lift the account's other traces, too.",
    }[outcome];
    return { text: done, json: { done } };
  },
  assign: async ({ db, now, actor, words }) => {
    const id = caseIdIn(words);
    const to = words[1]?.toLowerCase();
    if (!to) throw new UsageError('Name a moderator by their user id, or "none".');
    const { isAssigned } = await assignCase({ db, now }, actor, id, to === "none" ? null : to);
    if (!isAssigned) throw new Error("There is no such open case, no such moderator, or nothing to change.");
    const done = to === "none" ? "Nobody has the case now." : "The case is theirs.";
    return { text: done, json: { done } };
  },
  note: async ({ db, now, actor, words }) => {
    const caseId = caseIdIn(words);
    const text = words[1]?.trim();
    if (!text) throw new UsageError("Which text? Put it in quotes.");
    const outcome = await addNote({ db, now }, actor, { id: uuidv7(now.getTime()), caseId, words: text });
    if (outcome !== "added") throw new Error(`There is no case ${caseId}.`);
    return { text: "The note is with the case.", json: { done: "The note is with the case." } };
  },
  log: async ({ db, words, options }) => {
    const filters = { about: words[0]?.toLowerCase() || undefined, by: options.by, before: options.after };
    const entries = await listModerationLog(db, filters, ENTRIES_SHOWN + 1);
    const [rest] = entries.splice(ENTRIES_SHOWN);
    const lines = entries.map(({ createdAt, actor, action, caseId, playerId, details }) =>
      [
        createdAt.toISOString(),
        action,
        `by ${actor}`,
        ...(playerId ? [`player ${playerId}`] : []),
        ...(caseId ? [`case ${caseId}`] : []),
        ...(details ? [JSON.stringify(details)] : []),
      ].join("  "),
    );
    if (rest) lines.push(`More: --after ${entries.at(-1)?.id}`);
    return { text: lines.join("\n") || "The log has no such entries.", json: entries };
  },
};

/** Describes a case's state: its number of reports, and the moderators' actions. */
const sayState = ({ reportCount, isUrgent, isFlagged, isForAdmin, assignee, action }: QueuedCase): string =>
  [
    `${reportCount}x`,
    ...(isUrgent ? ["urgent"] : []),
    ...(isFlagged ? ["flagged"] : []),
    ...(isForAdmin ? ["for admins"] : []),
    ...(assignee ? [`taken on by ${assignee}`] : []),
    ...(action ? [action] : []),
  ].join(", ");

/** Reads the filters of `cases`, which are those of the queue's page. */
function readFilters({ state, kind, order, urgent, flagged, admin, assigned, after }: CaseOptions) {
  const flags = { urgent, flagged, admin, mine: assigned !== undefined };
  const given = Object.entries({ state, kind, order, after }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const on = Object.entries(flags).flatMap(([name, isOn]) => (isOn ? [[name, "on"] as const] : []));
  const { cursor, ...filters } = readSearch(QUEUE, new URLSearchParams([...given, ...on].map((pair) => [...pair])));
  for (const name of ["state", "kind", "order"] as const) {
    const value = { state, kind, order }[name];
    if (value !== undefined && filters[name] !== value) {
      throw new UsageError(`--${name} is one of: ${Object.keys(QUEUE[name].options).join(", ")}.`);
    }
  }
  if (after !== undefined && !cursor) throw new UsageError("--after takes the cursor that `cases` has printed.");
  return { filters, cursor, assignee: assigned?.toLowerCase() ?? null };
}

/** The words that decide an appeal, each with its outcome. */
const ANSWERS: Record<string, "granted" | "rejected"> = { grant: "granted", reject: "rejected" };

function caseIdIn([id]: readonly string[]): string {
  if (!id) throw new UsageError("Which case? Name it by its id: `cases` lists them.");
  return id.toLowerCase();
}

async function carryOut({ db, now, origin, actor, words, options }: CaseTask, action: DecisionAction) {
  const id = caseIdIn(words);
  const reason = options.reason?.trim();
  if (!reason) throw new UsageError(`${action} needs --reason.`);
  const rule = readRule(options.rule);
  if (findsFault(action) && rule === null) throw new UsageError(`${action} needs --rule: ${ruleKeys()}.`);
  const until = readEnd(options.until, now);
  if (until && !hasEnd(action)) {
    throw new UsageError(`${action} takes no --until.${action === "ban" ? " A ban has no end: suspend has one." : ""}`);
  }
  if (options.scopes !== undefined && action !== "limit") throw new UsageError(`${action} takes no --scopes.`);
  if (hasEnd(action) && !until) throw new UsageError(`${action} needs --until, such as 2027-01-31 or 7d.`);
  const scopes = action === "limit" ? readScopes(options.scopes) : undefined;
  const theCase = await findDecidedCase(db, id, null);
  if (!theCase) throw new Error(`There is no case ${id}.`);
  const outcome = await decideByCommand(withOrigin({ db, now, origin }), actor, theCase, {
    ...{ action, rule, reason, seen: null },
    ...(scopes && { scopes }),
    ...(hasEnd(action) && until && { until }),
  });
  // The case was deleted just now. This decision can't be overtaken, because it names no earlier decision as `seen`.
  if (outcome.outcome === "missing" || outcome.outcome === "overtaken") throw new Error(`There is no case ${id}.`);
  if (outcome.outcome === "repeated") return { text: REPEATED, json: { done: REPEATED, decision: outcome.id } };
  if (outcome.outcome !== "decided") throw new Error(DECISION_REFUSALS[outcome.outcome]);
  const isFollowed = outcome.hiding.some(({ followUp }) => followUp !== undefined && followUp.rowsAffected > 0);
  const rest = outcome.isSuspended ? [LEAVES] : isFollowed ? [FOLLOWED] : [];
  const done = [`Decided: ${ACTION_WORDS[action].name}.`, ...rest].join(" ");
  return { text: done, json: { done, decision: outcome.id } };
}

/** Printed if an earlier attempt has already carried out the command. */
export const REPEATED =
  "Your previous command decided this already; this one changed nothing. To decide the same again, change the reason.";

const FOLLOWED = "The cron's next run, within five minutes, updates open tabs, and the address of any picture.";

/** Printed after a suspension. The command line can't reach open tabs, so it leaves the follow-ups to the cron. */
export const LEAVES =
  "The cron's next run, within five minutes, takes the player out of teams and tournaments and tells open tabs.";

/** Lists the keys of all rules, for messages. */
export const ruleKeys = (): string => COMMUNITY_RULES.map(({ key }) => key).join(", ");

/** Reads `--rule`. @returns null if it was not given */
export function readRule(word: string | undefined): RuleKey | null {
  if (word === undefined) return null;
  const rule = COMMUNITY_RULES.find(({ key }) => key === word);
  if (!rule) throw new UsageError(`There is no rule ${word}. The rules are: ${ruleKeys()}.`);
  return rule.key;
}

/** Reads `--until`: a date, a date and time, or a number of days such as `7d`. */
export function readEnd(word: string | undefined, now: Date): Date | undefined {
  if (word === undefined) return undefined;
  const days = /^(\d{1,4})d$/.exec(word)?.[1];
  const end = days ? new Date(now.getTime() + Number(days) * 24 * 60 * 60 * 1000) : new Date(word);
  if (!(end > now)) throw new UsageError(`--until ${word} is not a time in the future.`);
  return end;
}

function readScopes(words: string | undefined) {
  const scopes = (words ?? "").split(/[\s,]+/).filter(Boolean);
  const known = RESTRICTION_SCOPES.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || known.length < scopes.length) {
    throw new UsageError(`limit needs --scopes: some of ${RESTRICTION_SCOPES.join(",")}.`);
  }
  return known;
}
