import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { RECOVERY_CODES, readRecoveryCode, showRecoveryCode } from "~/features/auth/two-factor/recovery-codes";
import { settingsAddress } from "~/features/settings/subjects";
import { requireViewer } from "~/platform/session/session.server";

export const loader = () => redirect(settingsAddress("two-factor"));

/**
 * Gives recovery codes back as a file, for browsers without script. The page that shows them is the only one to have
 * them, so it sends them along; nothing else is taken, and nothing is kept.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const [form] = await Promise.all([request.formData(), requireViewer(context, request)]);
  const codes = String(form.get("codes") ?? "")
    .split(" ")
    .flatMap((code) => readRecoveryCode(code) ?? [])
    .map(showRecoveryCode);
  if (codes.length !== RECOVERY_CODES) throw new Response("These are no recovery codes.", { status: 400 });
  const text = ["Recovery codes for Lineup. Each works once.", "", ...codes, ""].join("\r\n");
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="lineup-recovery-codes.txt"',
    },
  });
}
