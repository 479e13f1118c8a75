import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { CodeField } from "~/ui/forms/code-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";
import type { QrCode } from "./qr-code.server";

/** Shows the secret to be scanned into an authenticator app, and asks for a code to prove that scanning has worked. */
export function TwoFactorEnrolment({
  qr,
  secret,
  reply,
}: {
  qr: QrCode;
  /** In groups of four. */
  secret: string;
  reply: FormReply | undefined;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ code: string }>({
    id: "two-factor",
    reply,
    labels: { code: "Code" },
  });
  return (
    <ol className="mt-5 grid gap-7">
      <li>
        <h3 className="font-semibold">1. Scan this with your authenticator app</h3>
        <div className="mt-3 flex flex-wrap items-start gap-5">
          <QrCodeImage {...qr} />
          <div className="min-w-0 flex-1 basis-[220px]">
            <p className="text-muted">Or type this key into the app. Keep it to yourself.</p>
            <p className="mt-2 rounded-control border border-line bg-well px-3 py-2.5 leading-6 text-balance tabular-nums wrap-break-word select-all">
              {secret}
            </p>
          </div>
        </div>
      </li>
      <li>
        <h3 className="font-semibold">2. Enter the code the app shows</h3>
        <Form method="post" {...formProps} className="mt-3 grid gap-[18px]">
          <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
          <CodeField {...props("code")} />
          <div className="flex flex-wrap gap-2.5">
            <Button variant="primary" name="intent" value="confirm" busy={busy} busyLabel="Checking">
              Turn On
            </Button>
            <Button variant="quiet" name="intent" value="cancel" formNoValidate>
              Cancel
            </Button>
          </div>
        </Form>
      </li>
    </ol>
  );
}

/** Pixels per module: a whole number keeps the edges sharp. */
const SCALE = 4;

/** Black on white in both themes, because cameras need that. */
function QrCodeImage({ size, path }: QrCode) {
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app. It holds the same key as the text beside it."
      viewBox={`0 0 ${size} ${size}`}
      width={size * SCALE}
      height={size * SCALE}
      shapeRendering="crispEdges"
      className="flex-none rounded-control outline outline-line forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
