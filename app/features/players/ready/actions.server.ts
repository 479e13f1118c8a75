import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import * as z from "zod";
import type { ReadyStep } from "#db/words/ready-steps";
import { answerForm } from "~/platform/forms/answer-form.server";
import { ownPath } from "~/platform/request/origin";
import { type ProfileFacts, saveProfileFacts } from "../commands.server";
import { findProfile } from "../queries.server";
import { readStep, STEP_SCHEMAS } from "./schema";
import { READY_ID, SKIP } from "./steps";

const FAILED = "Error updating profile";

/**
 * Handles an answer to a step of `Get ready`, or `Skip`. With JavaScript the list's page stays open and reloads its
 * data; without JavaScript the response redirects to that page.
 */
export async function answerReadyStep(args: ActionFunctionArgs) {
  const { context, request } = args;
  const form = await request.formData();
  const step = readStep(form.get("step"));
  const list = ownPath(String(form.get("returnTo") ?? "")) ?? "/dashboard";
  const schema: z.ZodType<ProfileFacts> =
    form.get("intent") === SKIP || !step ? z.object({}).transform(() => ({})) : STEP_SCHEMAS[step];
  return answerForm(args, {
    schema,
    form,
    failed: FAILED,
    limit: "profile",
    alongside: async (userId) => (step && (await findProfile(context.db, userId))) ?? null,
    async run({ value, found }) {
      const facts = { ...value, readySteps: closeStep(found.readySteps, step as ReadyStep) };
      if (!(await saveProfileFacts(context, found, facts))) {
        return { status: 409, error: "Your profile has just changed elsewhere. Try again." };
      }
      return context.isDocument ? { to: `${list}#${READY_ID}` } : data(null);
    },
  });
}

const closeStep = (closed: readonly ReadyStep[] | null, step: ReadyStep): ReadyStep[] => [
  ...new Set([...(closed ?? []), step]),
];
