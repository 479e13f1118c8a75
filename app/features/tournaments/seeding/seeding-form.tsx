import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/ui/button";
import { RadioField } from "~/ui/forms/choice-field";
import type { PlayState } from "../play/state";

const CHOICES: readonly { value: PlayState["seeding"]; name: string; hint: string }[] = [
  { value: "random", name: "Random", hint: "Drawn at random at the start." },
  { value: "rank", name: "By rank", hint: "Teams with the highest average rank come first." },
  { value: "manual", name: "By hand", hint: "You put the teams in order yourself." },
];

/** The organisers' form for choosing the seeding method. */
export function SeedingForm({ seeding }: { seeding: PlayState["seeding"] }) {
  const busy = useNavigation().formData?.get("intent") === "seeding";
  return (
    <Form method="post" preventScrollReset className="max-w-[568px]">
      <input type="hidden" name="intent" value="seeding" />
      <fieldset>
        <legend className="text-meta font-semibold">Seeding</legend>
        <p className="mt-1 text-meta text-muted">Top seeds meet late and get any byes.</p>
        {CHOICES.map(({ value, name, hint }) => (
          <RadioField
            key={value}
            id={`seeding-${value}`}
            name="seeding"
            value={value}
            label={name}
            hint={hint}
            defaultChecked={value === seeding}
          />
        ))}
      </fieldset>
      <Button className="mt-4" busy={busy} busyLabel="Saving">
        Save
      </Button>
    </Form>
  );
}
