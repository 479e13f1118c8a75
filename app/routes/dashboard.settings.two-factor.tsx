import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { data } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import * as z from "zod";
import { enrolmentSchema } from "~/features/auth/schema";
import { nameDevice } from "~/features/auth/sessions/device.server";
import { drawQrCode } from "~/features/auth/two-factor/qr-code.server";
import { RecoveryCodeList } from "~/features/auth/two-factor/recovery-code-list";
import { forgetDevice, listTrustedDevices, thisDevice } from "~/features/auth/two-factor/trusted-devices.server";
import { TwoFactorEnrolment } from "~/features/auth/two-factor/two-factor-enrolment";
import { TwoFactorOff } from "~/features/auth/two-factor/two-factor-off";
import { TwoFactorOn } from "~/features/auth/two-factor/two-factor-on";
import {
  beginEnrolment,
  cancelEnrolment,
  confirmEnrolment,
  findTwoFactor,
  readEnrolmentSecret,
  renewRecoveryCodes,
  turnOffTwoFactor,
} from "~/features/auth/two-factor/two-factor-setup.server";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import type { RequestContext } from "~/platform/context";
import { showMoment } from "~/platform/dates/time";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction, type ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import type { Toast } from "~/platform/pages/toast";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { requireClaimedUserId, requireRecentSignIn } from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const PAGE = settingsAddress("two-factor");
const FAILED = "Two-factor isn't on yet";

export const meta: MetaFunction = () => privatePage("Two-Factor");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const { db, now } = context;
  const [viewer, factor, devices, clock] = await Promise.all([
    requireRecentSignIn(context, request),
    findTwoFactor(db, userId, now),
    listTrustedDevices(db, userId, now),
    context.clock(),
  ]);
  if (!factor) return { state: "off" } as const;
  if (!factor.confirmedAt) {
    const { uri, secret } = await readEnrolmentSecret(context, factor, viewer.email);
    return { state: "enrolling", qr: drawQrCode(uri), secret } as const;
  }
  return {
    state: "on",
    since: showMoment(factor.confirmedAt, clock),
    codesLeft: factor.codesLeft,
    codeSet: factor.codeSet,
    devices: devices.map(({ id, userAgent, createdAt }) => ({
      id,
      name: nameDevice(userAgent),
      since: showMoment(createdAt, clock),
      isThis: id === thisDevice(context),
    })),
  } as const;
}

export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  // Redirects signed-out visitors: the form has no values of theirs that would be lost.
  await requireClaimedUserId(context, request);
  const form = await request.formData();
  return answerForm(args, {
    // The buttons have different fields, so `run` reads them. Only `confirm` checks a code.
    schema: z.object({}),
    form,
    failed: "Error",
    limit: "twoFactorChange",
    // The sign-in must be recent, and must include the second factor if there is one.
    viewer: requireRecentSignIn,
    to: PAGE,
    async alongside({ userId }) {
      const factor = await findTwoFactor(context.db, userId, context.now);
      return { enrolling: factor && !factor.confirmedAt ? factor : null, on: factor?.confirmedAt ? factor : null };
    },
    async run({ viewer, found: { enrolling, on } }) {
      switch (form.get("intent")) {
        case "set-up":
          if (on) return { title: "Two-factor is already on" };
          await beginEnrolment(context, viewer.id);
          return {};
        case "cancel":
          await cancelEnrolment(context, viewer.id);
          return {};
        case "confirm": {
          if (on) return ON_ALREADY;
          if (!enrolling) return tooLate(context);
          const submission = parseWithZod(form, { schema: enrolmentSchema });
          if (submission.status !== "success") return wrongCode(submission.error?.code?.[0] ?? "");
          const recoveryCodes = await confirmEnrolment(context, viewer, enrolling, submission.value.code);
          if (recoveryCodes === "confirmed-before") return ON_ALREADY;
          return recoveryCodes
            ? showOnce(context, recoveryCodes, "Two-factor is on")
            : wrongCode("That's not the code your app shows now. Wait for the next one, and check your phone's clock.");
        }
        case "renew": {
          if (!on) return {};
          const recoveryCodes = await renewRecoveryCodes(context, viewer, on, String(form.get("codeSet") ?? ""));
          return recoveryCodes
            ? showOnce(context, recoveryCodes, "You have new recovery codes")
            : {
                title: "You already have new recovery codes",
                description: "Haven't seen them? Make new ones below.",
              };
        }
        case "turn-off":
          await turnOffTwoFactor(context, viewer);
          return { title: "Two-factor is off" };
        case "forget":
          await forgetDevice(context, viewer.id, String(form.get("device") ?? ""));
          return { title: "Device forgotten" };
        default:
          throw new Response("No such button", { status: 400 });
      }
    },
  });
}

/**
 * The response to a form that was submitted again. The codes are shown only once, and the response with them may have
 * been lost.
 */
const ON_ALREADY = {
  title: "Two-factor is already on",
  description: "Haven't seen your recovery codes? Make new ones below.",
};

const wrongCode = (error: string) => ({ status: 400, field: "code", toastTitle: FAILED, error });

/** Sends the only response that contains the codes; the database has only their hashes. */
function showOnce(context: RequestContext, recoveryCodes: string[], title: string) {
  const toast: Toast = { id: context.requestId, kind: "success", title };
  context.toast = toast;
  return data({ toast, recoveryCodes });
}

const tooLate = (context: RequestContext) =>
  redirectWithToast(context, PAGE, {
    kind: "error",
    title: FAILED,
    description: "That took too long, so the key has expired. Start again.",
  });

export const clientAction = offlineAction(FAILED);

export default function TwoFactorSettings() {
  const page = useLoaderData<typeof loader>();
  const answer = useReply<FormReply | ToastReply | (ToastReply & { recoveryCodes: string[] })>();
  const issued = answer && "recoveryCodes" in answer ? answer.recoveryCodes : null;
  const reply = answer && "result" in answer ? (answer as FormReply) : undefined;
  const isForForm = reply && page.state === "enrolling";
  // No other page will ever contain the codes, so this one keeps them until the player is done with them.
  const [kept, setKept] = useState({ issued, isDone: false });
  if (issued && issued !== kept.issued) setKept({ issued, isDone: false });
  const codes = kept.isDone ? null : kept.issued;
  // Forms show the toasts of their own replies.
  useReplyToast(isForForm ? undefined : answer);
  return (
    <SettingsSection title="Two-Factor">
      {codes && <RecoveryCodeList codes={codes} onDone={() => setKept({ ...kept, isDone: true })} />}
      {!codes && page.state === "off" && <TwoFactorOff />}
      {!codes && page.state === "enrolling" && <TwoFactorEnrolment qr={page.qr} secret={page.secret} reply={reply} />}
      {!codes && page.state === "on" && <TwoFactorOn {...page} />}
    </SettingsSection>
  );
}
