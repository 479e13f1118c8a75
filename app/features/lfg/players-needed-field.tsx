import { PARTY_OF_FOUR } from "~/game/queue";
import { FieldError } from "~/ui/forms/field";

/** The party that 1, 2, 3 or 4 more players make with the author. Source: Riot, VALORANT competitive party sizes. */
const PARTY_WORDS = [
  {
    count: "1",
    sum: "You and 1 player make two.",
    rule: "A duo can queue Competitive if your ranks are close enough.",
  },
  {
    count: "2",
    sum: "You and 2 players make three.",
    rule: "A trio can queue Competitive if your ranks are close enough.",
  },
  {
    count: "3",
    sum: "You and 3 players make four.",
    rule: PARTY_OF_FOUR,
  },
  { count: "4", sum: "You and 4 players make five.", rule: "A full five can queue with any ranks." },
] as const;

/**
 * "Players Needed": four native radios (accessible names 1 to 4) drawn as spots beside the author's banner, filled up
 * to the chosen one. The texts that explain the choice are switched by CSS alone and describe each radio.
 */
export function PlayersNeededField({
  name,
  id,
  defaultValue,
  letter,
  errors,
  autoFocus,
}: {
  name: string;
  id: string;
  defaultValue?: string | number | null;
  /** The first letter of the author's name, on the banner. */
  letter: string;
  errors?: readonly string[];
  autoFocus?: boolean;
}) {
  const invalid = Boolean(errors?.length);
  return (
    <fieldset id={id} aria-describedby={invalid ? `${id}-error` : undefined} className="min-w-0">
      <legend className="mb-1 text-meta font-semibold">Players Needed</legend>
      <div className="players-needed">
        <div className="players-needed-spots">
          <span aria-hidden="true" className="u u-banner pb-0.5 text-section">
            {letter}
          </span>
          {PARTY_WORDS.map(({ count }, index) => (
            <label key={count} className="u u-misfit">
              <input
                type="radio"
                id={`${id}-${count}`}
                name={name}
                value={count}
                defaultChecked={String(defaultValue ?? "") === count}
                aria-describedby={`${id}-words-${count}`}
                aria-invalid={invalid || undefined}
                required
                autoFocus={autoFocus && index === 0}
              />
              {count}
            </label>
          ))}
        </div>
        <div className="min-w-[160px] flex-1 pt-3.5 text-meta leading-[19px]">
          <p className="players-needed-words text-muted" data-for="none">
            How many players do you need?
          </p>
          {PARTY_WORDS.map(({ count, sum, rule }) => (
            <p key={count} id={`${id}-words-${count}`} className="players-needed-words text-muted" data-for={count}>
              <strong className="block font-semibold text-text">{sum}</strong> {rule}
            </p>
          ))}
        </div>
      </div>
      <FieldError id={id} errors={errors} />
    </fieldset>
  );
}
