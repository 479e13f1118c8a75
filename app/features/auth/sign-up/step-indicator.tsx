import { CheckIcon } from "~/ui/icons";

/**
 * The steps of signing up: `1 Account`, `2 Riot account`. A finished step is a banner, the current one a filled spot.
 */
export function StepIndicator({
  step,
  verified = false,
  className = "",
}: {
  step: 1 | 2;
  verified?: boolean;
  className?: string;
}) {
  const steps = [
    { number: 1, name: "Account", done: step > 1, state: step > 1 ? "Done" : "Now" },
    {
      number: 2,
      name: "Riot account",
      done: verified,
      state: verified ? "Verified" : step === 2 ? "Now" : "Next",
    },
  ];
  return (
    <ol aria-label="Steps" className={`grid grid-cols-2 border-t-2 border-edge [--u-h:60px] [--u-w:48px] ${className}`}>
      {steps.map(({ number, name, done, state }) => {
        const current = number === step;
        return (
          <li key={number} aria-current={current ? "step" : undefined} className="flex gap-3">
            <span
              aria-hidden="true"
              className={`u -mt-0.5 ${current ? "u-filled" : done ? "u-banner" : "u-empty"} font-display text-rail`}
            >
              {done ? <CheckIcon className="mb-1 size-[22px]" /> : number}
            </span>
            <span className="pt-[11px] text-meta">
              <span className="block font-semibold">
                {number} {name}
              </span>
              <span className="block text-muted">{state}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
