import { type MouseEvent, useEffect, useRef, useState } from "react";
import { RANKS } from "~/game/ranks";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/forms/field";
import { CheckIcon, RankGlyph } from "~/ui/icons";
import { CLEAR_RANK } from "./profile-rules";
import { TIERS } from "./rank-tiers";

/**
 * `Current Rank`: 25 radio buttons, in a column for each tier, or a row on phones. The rank above them follows the
 * choice only with JavaScript. `Clear Rank` is a submit button, which JavaScript handles without a request.
 */
export function RankPicker({
  id,
  name,
  chosen,
  errors,
  autoFocus,
}: {
  id: string;
  name: string;
  chosen: string | undefined;
  errors: readonly string[];
  autoFocus: boolean;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [selected, setSelected] = useState(chosen);
  const [isScripted, setScripted] = useState(false);
  const findChecked = () => group.current?.querySelector<HTMLInputElement>("input:checked");
  // The browser may have restored a choice, or the player may have made one before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(() => {
    setSelected(findChecked()?.value);
    setScripted(true);
  }, []);

  function clear(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const radio = findChecked();
    if (radio) radio.checked = false;
    setSelected(undefined);
    // Dispatched as if by the player, so that the form checks for unsaved changes.
    group.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const rank = RANKS.find((one) => one === selected);
  const invalid = errors.length > 0;
  return (
    <fieldset
      ref={group}
      id={id}
      className="profile-section"
      aria-describedby={invalid ? `${id}-error` : undefined}
      onChange={(event) => setSelected((event.target as HTMLInputElement).value)}
    >
      <legend className="profile-legend">Current Rank</legend>
      <div className="profile-aside max-md:clear-both max-md:justify-between">
        <p className="flex flex-wrap items-center gap-x-2">
          {rank ? (
            <>
              <span className="inline-flex items-center gap-2 text-body font-semibold text-text">
                <RankGlyph rank={rank} className="size-5" />
                {rank}
              </span>
              <span>self-reported</span>
            </>
          ) : (
            "No rank set"
          )}
        </p>
        <Button
          name="intent"
          value={CLEAR_RANK}
          variant="quiet"
          size="row"
          formNoValidate
          aria-disabled={isScripted && !rank}
          onClick={clear}
        >
          Clear Rank
        </Button>
      </div>
      <div className="rank-picker">
        {TIERS.map(({ name: tier, ranks }) => (
          <div key={tier} className="rank-picker-tier">
            <span className="rank-picker-name">{tier}</span>
            {ranks.map((one) => (
              <label key={one} className="choice rank-choice" title={one}>
                <input
                  type="radio"
                  name={name}
                  value={one}
                  aria-label={one}
                  aria-invalid={invalid || undefined}
                  defaultChecked={one === chosen}
                  autoFocus={autoFocus && one === (chosen ?? RANKS[0])}
                />
                <RankGlyph rank={one} className="size-[34px]" />
                <span className="rank-tick" aria-hidden="true">
                  <CheckIcon className="size-2.5" />
                </span>
              </label>
            ))}
          </div>
        ))}
      </div>
      <FieldError id={id} errors={errors} />
    </fieldset>
  );
}
