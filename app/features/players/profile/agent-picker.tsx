import { type MouseEvent, useEffect, useRef, useState } from "react";
import { AGENTS_BY_ROLE, MAX_MAIN_AGENTS } from "~/game/agents";
import { ROLES } from "~/game/roles";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/forms/field";
import { CheckIcon, RoleGlyph } from "~/ui/icons";
import { CLEAR_AGENTS, CLEARED, TOO_MANY_AGENTS } from "./profile-rules";

/**
 * `Main Agents`: a checkbox for each agent, grouped by role. With JavaScript, three checked agents disable the others;
 * without, the server reports the error. `Clear All` is a submit button, which JavaScript handles without a request.
 */
export function AgentPicker({
  id,
  name,
  chosen,
  errors,
  autoFocus,
}: {
  id: string;
  name: string;
  chosen: readonly string[];
  errors: readonly string[];
  autoFocus: boolean;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  const boxes = () => [...(group.current?.querySelectorAll<HTMLInputElement>("input") ?? [])];
  /**
   * The checked agents. Null until hydration, because the browser may have restored other choices than the server
   * rendered.
   */
  const [ticked, setTicked] = useState<readonly string[] | null>(null);
  const readTicked = () =>
    setTicked(
      boxes()
        .filter(({ checked }) => checked)
        .map(({ value }) => value),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(readTicked, []);

  const [isCleared, setCleared] = useState(false);

  function clear(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    for (const box of boxes()) box.checked = false;
    setTicked([]);
    setCleared(true);
    // Dispatched as if by the player, so that the form checks for unsaved changes.
    group.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const count = (ticked ?? chosen).length;
  const isFull = count >= MAX_MAIN_AGENTS;
  const invalid = errors.length > 0 && (ticked === null || count > MAX_MAIN_AGENTS);
  return (
    <fieldset
      ref={group}
      id={id}
      className="profile-section"
      aria-describedby={invalid ? `${id}-error` : `${id}-hint`}
      onChange={readTicked}
    >
      <legend className="profile-legend">Main Agents</legend>
      <div className="profile-aside">
        <p>
          {count} of {MAX_MAIN_AGENTS} chosen
        </p>
        <Button
          name="intent"
          value={CLEAR_AGENTS}
          variant="quiet"
          size="row"
          formNoValidate
          aria-disabled={ticked !== null && count === 0}
          onClick={clear}
        >
          Clear All
        </Button>
      </div>
      <div className="grid gap-3 md:gap-2.5">
        {ROLES.map((role) => (
          <div key={role} className="grid gap-x-4 gap-y-2 md:grid-cols-[112px_minmax(0,1fr)]">
            <span id={`${id}-${role}`} className="flex h-9 items-center gap-2.5 font-semibold max-md:h-6">
              <RoleGlyph role={role} className="size-4" />
              {role}
            </span>
            {/* biome-ignore lint/a11y/useSemanticElements: a nested fieldset is one more level for screen readers */}
            <div role="group" aria-labelledby={`${id}-${role}`} className="flex flex-wrap gap-2">
              {AGENTS_BY_ROLE[role].map((agent, index) => (
                <label key={agent} className="choice">
                  <input
                    type="checkbox"
                    name={name}
                    value={agent}
                    aria-invalid={invalid || undefined}
                    defaultChecked={chosen.includes(agent)}
                    disabled={isFull && ticked !== null && !ticked.includes(agent)}
                    autoFocus={autoFocus && role === ROLES[0] && index === 0}
                  />
                  <CheckIcon className="choice-tick size-3.5" />
                  {agent}
                </label>
              ))}
            </div>
          </div>
        ))}
      </div>
      {invalid ? (
        <FieldError id={id} errors={errors} />
      ) : (
        <p id={`${id}-hint`} aria-live="polite" className="mt-3 text-meta text-muted">
          {isFull && ticked !== null
            ? TOO_MANY_AGENTS
            : isCleared && count === 0
              ? CLEARED
              : `Up to ${MAX_MAIN_AGENTS}, the ones you play most.`}
        </p>
      )}
    </fieldset>
  );
}
