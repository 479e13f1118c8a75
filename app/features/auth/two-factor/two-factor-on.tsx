import { Form, useNavigation } from "@remix-run/react";
import type { ShownMoment } from "~/platform/dates/time";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { RelativeTime } from "~/ui/relative-time";

interface TrustedDeviceView {
  id: string;
  /** "Chrome on Windows" */
  name: string;
  since: ShownMoment;
  isThis: boolean;
}

interface TwoFactorOnProps {
  since: ShownMoment;
  codesLeft: number;
  /** Identifies the current set of recovery codes, so that submitting twice renews it once. */
  codeSet: string | null;
  devices: readonly TrustedDeviceView[];
}

/** With this many codes left or fewer, the page recommends new ones. */
const FEW = 3;

/**
 * Shows two-factor while it is on: the date it was turned on, the recovery codes, the trusted browsers, and the button
 * to turn it off.
 */
export function TwoFactorOn({ since, codesLeft, codeSet, devices }: TwoFactorOnProps) {
  const { formData } = useNavigation();
  const intent = formData?.get("intent");
  return (
    <>
      <p className="mt-1 text-muted">
        Two-factor was turned on <RelativeTime moment={since} />. You need a code from your authenticator app to sign
        in.
      </p>

      <h3 className="mt-6 border-t border-line pt-4 font-semibold">Recovery codes</h3>
      <p className={`mt-1 ${codesLeft > FEW ? "text-muted" : "text-warn"}`}>
        {`You have ${codesLeft || "none"} left.`}{" "}
        {codesLeft <= FEW && "Without your phone, you may need one to sign in. Get new ones."}
      </p>
      <Form method="post" className="mt-3">
        <input type="hidden" name="codeSet" value={codeSet ?? ""} />
        <Button
          name="intent"
          value="renew"
          busy={intent === "renew"}
          busyLabel="Making codes"
          aria-describedby="renews"
        >
          New Recovery Codes
        </Button>
        <p id="renews" className="mt-2 text-meta text-muted">
          Lost your codes, or never saw them? New ones replace them.
        </p>
      </Form>

      <h3 className="mt-6 border-t border-line pt-4 font-semibold">Remembered devices</h3>
      {devices.length === 0 && <p className="mt-1 text-muted">None. Every sign-in asks for a code.</p>}
      {devices.length > 0 && (
        <>
          <p className="mt-1 text-muted">These don't need a code for 30 days.</p>
          <ul className="mt-3 border-t border-line">
            {devices.map(({ id, name, since: remembered, isThis }) => (
              <li key={id} className="flex items-center gap-4 border-b border-line py-3 last:border-b-0">
                <div className="min-w-0 flex-1">
                  <p id={`device-${id}`} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
                    {name}
                    {isThis && <Badge>This device</Badge>}
                  </p>
                  <p className="text-meta text-muted">
                    Remembered <RelativeTime moment={remembered} />
                  </p>
                </div>
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="device" value={id} />
                  <Button
                    name="intent"
                    value="forget"
                    size="row"
                    busy={formData?.get("device") === id}
                    busyLabel="Forgetting"
                    aria-describedby={`device-${id}`}
                  >
                    Forget
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        </>
      )}

      <details className="mt-6 border-t border-line pt-4">
        <summary className="cursor-pointer py-1 font-semibold text-danger touch:py-3">Turn off two-factor</summary>
        <Form method="post" className="mt-3 grid justify-items-start gap-4">
          <p className="text-muted">
            From then on you sign in without your authenticator app. We'll delete your recovery codes and remembered
            devices, and you can remove Lineup from that app.
          </p>
          <Button
            variant="danger-filled"
            name="intent"
            value="turn-off"
            busy={intent === "turn-off"}
            busyLabel="Turning off"
          >
            Turn Off
          </Button>
        </Form>
      </details>
    </>
  );
}
