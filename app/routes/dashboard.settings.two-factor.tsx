import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { data, redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
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
  renewRecoveryCodes,
  showEnrolment,
  turnOff,
} from "~/features/auth/two-factor/two-factor-setup.server";
import { SettingsSection } from "~/features/settings/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import type { RequestContext } from "~/platform/context";
import { showMoment } from "~/platform/dates/time";
import { type FormReply, orOffline, type ToastReply } from "~/platform/forms/forms";
import { orDatabaseAway, refuseAction, refuseForm } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import type { Toast } from "~/platform/pages/toast";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, requireRecentSignIn } from "~/platform/session/session.server";
import { useReplyToast } from "~/ui/toasts/use-toasts";

const PAGE = settingsAddress("two-factor");
const FAILED = "Two-factor is not on yet";

export const meta: MetaFunction = () => privatePage("Two-Factor");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const { db, now } = context;
  const [viewer, factor, devices, clock] = await Promise.all([
    requireRecentSignIn(context, request),
    findTwoFactor(db, userId, now),
    listTrustedDevices(db, userId, now),
    context.clock(),
  ]);
  if (!factor) return { state: "off" } as const;
  if (!factor.confirmedAt) {
    const { uri, secret } = await showEnrolment(context, factor, viewer.email);
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

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const userId = await claimedUserId(context, request);
  const submission = parseWithZod(form, { schema: enrolmentSchema });
  return orDatabaseAway(context, submission, "Error", async () => {
    // The sign-in is recent, and included the second factor where there is one: `requireRecentSignIn` sees to both.
    const [viewer, limit, factor] = await Promise.all([
      requireRecentSignIn(context, request),
      countUse(context, "twoFactorChange", userId),
      findTwoFactor(context.db, userId, context.now),
    ]);
    if (!limit.allowed) return refuseAction(context, "Error", tooManyTries(limit.retryAfter));
    const enrolling = factor && !factor.confirmedAt ? factor : null;
    const on = factor?.confirmedAt ? factor : null;
    switch (form.get("intent")) {
      case "set-up":
        if (on) return done(context, "Two-factor is on already");
        await beginEnrolment(context, viewer.id);
        return done(context);
      case "cancel":
        await cancelEnrolment(context, viewer.id);
        return done(context);
      case "confirm": {
        // A form that is sent again: the codes were shown, and are shown once.
        if (on) return done(context, "Two-factor is on already");
        if (!enrolling) return tooLate(context);
        if (submission.status !== "success") return refuseForm(context, submission, FAILED);
        const recoveryCodes = await confirmEnrolment(context, viewer, enrolling, submission.value.code);
        if (recoveryCodes) return showOnce(context, recoveryCodes, "Two-factor is on");
        return refuseForm(context, submission, FAILED, {
          status: 400,
          field: "code",
          error: "This is not the code the app shows now. Wait for the next one, and look at your phone's clock.",
        });
      }
      case "renew": {
        if (!on) return done(context);
        const codeSet = String(form.get("codeSet") ?? "");
        const recoveryCodes = await renewRecoveryCodes(context, viewer, on, codeSet);
        return recoveryCodes
          ? showOnce(context, recoveryCodes, "You have new recovery codes")
          : done(context, "You have new recovery codes already");
      }
      case "turn-off":
        await turnOff(context, viewer);
        return done(context, "Two-factor is off");
      case "forget":
        await forgetDevice(context, viewer.id, String(form.get("device") ?? ""));
        return done(context, "Device forgotten");
      default:
        throw new Response("No such button", { status: 400 });
    }
  });
}

/** The one answer that holds the codes: from now on there are only their hashes. */
function showOnce(context: RequestContext, recoveryCodes: string[], title: string) {
  const toast: Toast = { id: context.requestId, kind: "success", title };
  context.toast = toast;
  return data({ toast, recoveryCodes });
}

/** Back to the page, with a word about what was done, if it doesn't show. */
const done = (context: RequestContext, title?: string) =>
  title ? redirectWithToast(context, PAGE, { kind: "success", title }) : redirect(PAGE, 303);

const tooLate = (context: RequestContext) =>
  redirectWithToast(context, PAGE, {
    kind: "error",
    title: FAILED,
    description: "That took too long, so we have thrown the key away. Begin again.",
  });

/** Offline the form stays. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function TwoFactorSettings() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<FormReply | ToastReply | (ToastReply & { recoveryCodes: string[] })>();
  const issued = answer && "recoveryCodes" in answer ? answer.recoveryCodes : null;
  const reply = answer && "result" in answer ? (answer as FormReply) : undefined;
  const isForForm = reply && page.state === "enrolling";
  // A form shows the toast of its own answers.
  useReplyToast(isForForm ? undefined : answer);
  return (
    <SettingsSection title="Two-Factor">
      {issued && <RecoveryCodeList codes={issued} />}
      {!issued && page.state === "off" && <TwoFactorOff />}
      {!issued && page.state === "enrolling" && <TwoFactorEnrolment qr={page.qr} secret={page.secret} reply={reply} />}
      {!issued && page.state === "on" && <TwoFactorOn {...page} />}
    </SettingsSection>
  );
}
