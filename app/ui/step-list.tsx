import { CheckIcon } from "./icons";

interface ListedStep {
  name: string;
  /** The step's state or answer, in a word or two: "Done", "Gold 2". */
  note: string;
  isCurrent: boolean;
  isDone: boolean;
}

/**
 * Numbered steps that hang from a line: the current one is a filled spot, a finished one a banner, the others are
 * empty.
 */
export function StepList({ steps, className }: { steps: readonly ListedStep[]; className: string }) {
  return (
    <ol aria-label="Steps" className={`grid ${className}`}>
      {steps.map(({ name, note, isCurrent, isDone }, index) => (
        <li key={name} aria-current={isCurrent ? "step" : undefined} className="flex gap-2 md:gap-3">
          {/* The list's own numbering says the same. */}
          <span
            aria-hidden="true"
            className={`u -mt-0.5 ${isCurrent ? "u-filled" : isDone ? "u-banner" : "u-empty"} font-display text-rail`}
          >
            {isDone ? <CheckIcon className="mb-1 size-[22px]" /> : index + 1}
          </span>
          <span className="min-w-0 pt-[11px] text-meta">
            <span className="block font-semibold">{name}</span>
            <span className="block text-muted">{note}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
