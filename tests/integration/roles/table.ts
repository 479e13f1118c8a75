import type { Fields } from "../../support/client";
import { ROLES, type Role, type World } from "./world";

/**
 * What each role gets from a URL, as one line: `visitor sign-in | owner 303 | others 404`. If the line
 * names no roles, it applies to all of them. The result is a status, or one of these:
 *
 * - `sign-in`: a redirect to the sign-in page;
 * - `decisions`: a redirect to the page that a suspended player may open.
 *
 * These two and all statuses from 400 up are refusals, which change nothing in the database. If a form is accepted but
 * changes nothing there, an `=` follows its status.
 */
export type Answers = string;

/** The fields of a form, or a function that makes them for a role. */
type Form = Fields | ((world: World, role: Role) => Fields);

export interface Row {
  /** The URL; by default the route's, with the world's ids as parameters. */
  at?: (world: World) => string;
  /** The loader's answers. */
  get?: Answers;
  /** The action's answers, by the name of the button or the form. */
  post?: Record<string, [form: Form, answers: Answers]>;
}

/** The routes of a feature, by their names below `app/routes`. */
export type Table = Record<string, Row>;

/** Reads the answers from one line. @throws Error if a role has none or is unknown */
export function readAnswers(line: Answers): Record<Role, string> {
  const parts = line.split(" | ").map((part) => part.split(" "));
  const answers: Partial<Record<Role, string>> = {};
  let rest: string | undefined;
  for (const words of parts) {
    const answer = words.pop() as string;
    if (words.length === 0 || words[0] === "others") rest = answer;
    else for (const role of words) answers[role as Role] = answer;
  }
  const unknown = Object.keys(answers).find((role) => !(ROLES as readonly string[]).includes(role));
  if (unknown) throw new Error(`${line} names an unknown role: ${unknown}.`);
  return Object.fromEntries(
    ROLES.map((role) => {
      const answer = answers[role] ?? rest;
      if (answer === undefined) throw new Error(`${line} has no answer for ${role}.`);
      return [role, answer];
    }),
  ) as Record<Role, string>;
}

/** Writes the answers as one line, the commonest last. */
export function writeAnswers(answers: Record<Role, string>): Answers {
  const groups = new Map<string, Role[]>();
  for (const role of ROLES) groups.set(answers[role], [...(groups.get(answers[role]) ?? []), role]);
  const sorted = [...groups].sort(([, one], [, two]) => one.length - two.length);
  return sorted
    .map(([answer, roles], index) => {
      const isLast = index === sorted.length - 1;
      if (!isLast) return `${roles.join(" ")} ${answer}`;
      return sorted.length === 1 ? answer : `others ${answer}`;
    })
    .join(" | ");
}
