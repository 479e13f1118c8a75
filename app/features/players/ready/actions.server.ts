import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import * as z from "zod";
import type { ReadyStep } from "#db/words/ready-steps";
import { answerForm } from "~/platform/forms/answer-form.server";
import { ownPath } from "~/platform/request/origin";
import { type ProfileFacts, saveProfileFacts } from "../commands.server";
import { profileVersion } from "../profile/profile-values";
import { findProfile } from "../queries.server";
import { HAS_ANSWER } from "./rules";
import { readStep, STEP_SCHEMAS } from "./schema";
import { READY_ID, SKIP } from "./steps";

const FAILED = "Error updating profile";
const CHANGED = "Your profile has changed elsewhere. Check your choices, then send them again.";

/**
 * Handles an answer to a step of `Get ready`, or `Skip`. With JavaScript the list's page stays open and reloads its
 * data; without JavaScript the response redirects to that page. A form that was opened before the profile changed
 * elsewhere is refused until it is sent again. If its step has an answer by now, nothing is saved, and the list shows
 * the next step.
 */
export async function answerReadyStep(args: ActionFunctionArgs) {
  const { context, request } = args;
  const form = await request.formData();
  const step = readStep(form.get("step"));
  const list = ownPath(String(form.get("returnTo") ?? "")) ?? "/dashboard";
  const isSkipped = form.get("intent") === SKIP;
  const schema: z.ZodType<ProfileFacts> = isSkipped || !step ? z.object({}).transform(() => ({})) : STEP_SCHEMAS[step];
  return answerForm(args, {
    schema,
    form,
    failed: FAILED,
    limit: "profile",
    alongside: async ({ userId }) => (step && (await findProfile(context.db, userId))) ?? null,
    async run({ value, found }) {
      const done = context.isDocument ? { to: `${list}#${READY_ID}` } : data(null);
      if (HAS_ANSWER[step as ReadyStep](found)) return done;
      const current = profileVersion(found);
      const isOutdated = !isSkipped && form.has("version") && form.get("version") !== current;
      const facts = { ...value, readySteps: closeStep(found.readySteps, step as ReadyStep) };
      const newer = isOutdated ? current : await saveProfileFacts(context, found, facts);
      return newer ? { status: 409, error: CHANGED, renewed: { version: newer } } : done;
    },
  });
}

const closeStep = (closed: readonly ReadyStep[] | null, step: ReadyStep): ReadyStep[] => [
  ...new Set([...(closed ?? []), step]),
];
