import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import * as z from "zod";
import { isReservedRiotId } from "~/features/flags/shared/reserved-names.server";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import type { Toast } from "~/platform/pages/toast";
import { saveProfile } from "../commands.server";
import { findHiddenTags } from "../shared/hide-player.server";
import { CLEARED, SAVING_FAILED } from "./profile-rules";
import { profileSchema } from "./profile-schema";

const PROFILE = "/dashboard/profile";
const CHANGED =
  "Your profile has changed elsewhere since you opened this page. Your entries are still here: save again to replace what's saved.";
const SEE_SAVED = { to: PROFILE, label: "Discard my entries and see what's saved" };
const RESERVED_RIOT_ID =
  "This Riot ID could be mistaken for Lineup itself. If it's yours, verify it below. Otherwise leave this field empty.";

/** Handles the profile's form. */
export const answerProfileForm = (args: ActionFunctionArgs, form: FormData) =>
  answerForm(args, {
    schema: profileSchema.extend({ version: z.string().optional() }),
    form,
    failed: SAVING_FAILED,
    limit: "profile",
    alongside: ({ userId }) => findHiddenTags(args.context.db, userId),
    async run({ value: { version, ...fields }, viewer, found: hiddenTags }) {
      // The form submits a verified Riot ID, too, but saving doesn't change that one: it comes from Riot.
      if (!viewer.verified && fields.riotId && isReservedRiotId(fields.riotId)) {
        return { status: 400, error: RESERVED_RIOT_ID, field: "riotId" };
      }
      const newer = await saveProfile(args.context, viewer.id, fields, version, hiddenTags);
      if (newer) return { status: 409, error: CHANGED, renewed: { version: newer }, next: SEE_SAVED };
      return { to: PROFILE, title: "Profile updated!", description: "Your profile has been saved successfully." };
    },
  });

/**
 * Handles a button that clears one choice without JavaScript: shows the page again with the other entered values, and
 * saves nothing.
 */
export const clearChoice = (args: ActionFunctionArgs, form: FormData, name: string, title: string) =>
  answerButton(args, {
    async run() {
      form.delete(name);
      const { initialValue } = parseWithZod(form, { schema: profileSchema }).reply();
      const toast: Toast = { id: args.context.requestId, kind: "success", title, description: CLEARED };
      args.context.toast = toast;
      return data({ result: { ...(initialValue && { initialValue }) }, toast } satisfies FormReply);
    },
  });
