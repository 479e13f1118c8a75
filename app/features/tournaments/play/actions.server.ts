import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { Command } from "#party/wire/tournament-commands";
import { type Limited, limitedBy, readLimit, refuseLimited } from "~/features/moderation/shared/limits.server";
import type { RequestContext } from "~/platform/context";
import { type Answer, answerButton, answerForm, type Done } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import type { MatchAddress } from "../match/match-page.server";
import { refusalOf } from "./refusals";
import { prepareCommand, sendCommand } from "./send.server";

type Place = Pick<MatchAddress, "tournamentId" | "here">;

interface MatchForm<Schema extends z.ZodType> {
  /** Decisions of organisers count as `ruling`. */
  limit: "match" | "ruling";
  schema: Schema;
  /** The form, if the route has read it already. */
  form?: FormData;
  /** Returns the command for the form's values. */
  command: (value: z.output<Schema>) => Command;
  /** The form's required text, if it counts as a message. */
  message?: MessageField<z.output<Schema>>;
  /** The toast once the command is carried out. */
  success: Done | ((value: z.output<Schema>) => Done);
  /** The toast to show instead if a report agreed with the other captain's, which decided the match. */
  confirmed?: Done;
}

/**
 * A required text that counts as a message. Players whose messages moderators have limited leave it empty, because the
 * limit only keeps them from writing, not from using the form.
 */
interface MessageField<Value> {
  field: keyof Value & string;
  /** The error if it is empty. */
  missing: string;
  /** Completes the refusal of a text that a limit forbids: how to send the form without it. */
  without: string;
}

/**
 * Handles a form about a match or a team: makes the tournament's room carry out its command, then redirects to the
 * page. Two round trips: one for the session, the limit and the room's read, one for the room's write.
 */
export const answerMatchForm = <Schema extends z.ZodType>(
  args: ActionFunctionArgs,
  { tournamentId, here }: Place,
  { limit, schema, form, command, message, success, confirmed }: MatchForm<Schema>,
) =>
  answerForm(args, {
    schema,
    ...(form && { form }),
    failed: "Error",
    limit,
    to: here,
    alongside: async ({ userId }, value) => {
      const { db, now } = args.context;
      const [limits] = await Promise.all([
        value && message ? readLimit(db, userId, "messaging", now.getTime()) : [],
        value && prepareCommand(args.context, tournamentId),
      ]);
      return limits;
    },
    run: async ({ value, viewer, found }) => {
      const refusal = message && (await refuseMessage(args.context, message, value, limitedBy(found)));
      if (refusal) return refusal;
      const answer = await carryOut(args.context, tournamentId, viewer.id, command(value), {
        done: typeof success === "function" ? success(value) : success,
        confirmed,
        without: message?.without,
      });
      // The match's page shows the evidence. On a phone, the dialog covers that page.
      return answer === refusalOf("disputed-since")
        ? { ...answer, next: { to: here, label: "See the dispute", inNewTab: true } }
        : answer;
    },
  });

/** Refuses a missing text, or one that a limit forbids. */
async function refuseMessage<Value>(
  context: RequestContext,
  { field, missing, without }: MessageField<Value>,
  value: Value,
  limited: Limited | undefined,
): Promise<FormFailure | undefined> {
  if (value[field] === "") return limited ? undefined : { status: 400, field, error: missing };
  return limited && refuseText(context, limited, without);
}

/** Refuses a text that a limit forbids. @param without how to send the form without it */
async function refuseText(
  context: RequestContext,
  limited: Omit<Limited, "outcome">,
  without: string,
): Promise<FormFailure> {
  const refusal = await refuseLimited(context, limited);
  return { ...refusal, error: `${refusal.error} ${without}` };
}

/** Handles a button about a match, which has no fields; otherwise like `answerMatchForm`. */
export const answerMatchButton = (
  args: ActionFunctionArgs,
  { tournamentId, here }: Place,
  command: Command,
  done: Done,
) =>
  answerButton(args, {
    limit: "match",
    to: here,
    alongside: () => prepareCommand(args.context, tournamentId),
    run: ({ viewer }) => carryOut(args.context, tournamentId, viewer.id, command, { done }),
  });

/** Makes the room carry out a command. */
async function carryOut(
  context: RequestContext,
  tournamentId: string,
  actorId: string,
  command: Command,
  { done, confirmed = done, without = "" }: { done: Done; confirmed?: Done | undefined; without?: string | undefined },
): Promise<Answer> {
  const outcome = await sendCommand(context, tournamentId, actorId, command);
  if (outcome.outcome === "done") return outcome.isConfirmed ? confirmed : done;
  // The limit was set after the form was checked.
  if (outcome.reason === "limited") return refuseText(context, { scope: "messaging", until: outcome.until }, without);
  return refusalOf(outcome.reason) ?? "missing";
}
