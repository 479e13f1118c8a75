import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { formatRecoveryCode, RECOVERY_CODE_COUNT, readRecoveryCode } from "~/features/auth/two-factor/recovery-codes";
import { settingsAddress } from "~/features/settings/subjects";
import { requireViewer } from "~/platform/session/guards.server";

export const loader = () => redirect(settingsAddress("two-factor"));

/**
 * Returns recovery codes as a file, for browsers without script. Only the page that shows them still has them, so it
 * sends them along; nothing else is accepted, and nothing is stored.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const [form] = await Promise.all([request.formData(), requireViewer(context, request)]);
  const codes = String(form.get("codes") ?? "")
    .split(" ")
    .flatMap((code) => readRecoveryCode(code) ?? [])
    .map(formatRecoveryCode);
  if (codes.length !== RECOVERY_CODE_COUNT) throw new Response("These aren't recovery codes.", { status: 400 });
  const text = ["Recovery codes for Lineup. Each works once.", "", ...codes, ""].join("\r\n");
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="lineup-recovery-codes.txt"',
    },
  });
}
