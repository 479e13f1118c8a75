import { Form, useRevalidator } from "@remix-run/react";
import type { ComponentProps } from "react";
import { LOCK_SCREENS, type LockScreen } from "#db/words/lock-screens";
import { zoneWords } from "~/platform/dates/time-zone";
import { Button } from "~/ui/button";
import { RadioField } from "~/ui/forms/choice-field";
import { SelectField } from "~/ui/forms/field";
import { PushButton } from "./push-button";

const LOCK_SCREEN_WORDS: Record<LockScreen, { label: string; hint: string }> = {
  text: { label: "Name and text", hint: "“New message from Reyna”, and what she wrote." },
  name: { label: "Name only", hint: "“New message from Reyna”." },
  nothing: { label: "Neither", hint: "“You have news”." },
};

const HEADING_ID = "push-here";

/** Turns push on and off in this browser. */
export function PushSwitch({ publicKey, isOn }: { publicKey: string; isOn: boolean }) {
  const { revalidate } = useRevalidator();
  /** Ends the subscription in the browser, too. If that fails, the server has forgotten it anyway. */
  const turnOff = () => void import("./turn-on.client").then(({ turnOffPush }) => turnOffPush()).catch(() => undefined);
  function reload() {
    document.getElementById(HEADING_ID)?.focus();
    revalidate();
  }
  return (
    <section aria-labelledby={HEADING_ID} className="mt-4">
      <h3 id={HEADING_ID} tabIndex={-1} className="text-meta font-semibold">
        Push
      </h3>
      <p role="status" className="mt-1 mb-3 text-muted">
        {isOn
          ? "Push is on in this browser: messages, requests and match news reach you while Lineup is closed."
          : "Get messages, requests and match news from this browser while Lineup is closed."}
      </p>
      {isOn ? (
        <Form method="post" onSubmit={turnOff}>
          <Button name="intent" value="push-off">
            Turn off push
          </Button>
        </Form>
      ) : (
        <PushButton publicKey={publicKey} label="Turn on push" onTurnedOn={reload} />
      )}
      {!isOn && <p className="hidden text-meta text-muted noscript:block">It needs JavaScript in this browser.</p>}
    </section>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * The fields of a player's push settings, which apply to all their browsers.
 * @param props.hourWords the 24 hours of the day, formatted for the reader
 * @param props.quietZone the zone of the quiet hours
 * @param props.fieldProps the props of the two quiet-hours fields
 */
export function PushFields({
  lockScreen,
  hourWords,
  quietZone,
  fieldProps,
}: {
  lockScreen: LockScreen;
  hourWords: readonly string[];
  quietZone: string;
  fieldProps: (name: "quietFrom" | "quietUntil") => ComponentProps<typeof SelectField>;
}) {
  const field = (name: "quietFrom" | "quietUntil") => (
    <SelectField {...fieldProps(name)}>
      <option value="">None</option>
      {HOURS.map((one) => (
        <option key={one} value={one}>
          {hourWords[one]}
        </option>
      ))}
    </SelectField>
  );
  return (
    <>
      <fieldset>
        <legend className="text-meta font-semibold">Show on the lock screen</legend>
        <div className="mt-2 border-t-2 border-edge">
          {LOCK_SCREENS.map((one) => (
            <RadioField
              key={one}
              id={`lock-${one}`}
              name="lockScreen"
              value={one}
              {...LOCK_SCREEN_WORDS[one]}
              defaultChecked={lockScreen === one}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="text-meta font-semibold">Quiet hours</legend>
        <p className="mt-1 text-meta text-muted">
          No push in these hours ({zoneWords(quietZone)}). Unread news comes afterwards.
        </p>
        <div className="mt-3 grid max-w-[360px] grid-cols-2 gap-4">
          {field("quietFrom")}
          {field("quietUntil")}
        </div>
      </fieldset>
    </>
  );
}
