import { StepList } from "~/ui/step-list";

/** The steps of signing up: `1 Account`, `2 Riot account`. */
export function StepIndicator({
  step,
  verified = false,
  className = "",
}: {
  step: 1 | 2;
  verified?: boolean;
  className?: string;
}) {
  const isSecond = step === 2;
  return (
    <StepList
      steps={[
        { name: "Account", note: isSecond ? "Done" : "Now", isCurrent: !isSecond, isDone: isSecond },
        {
          name: "Riot account",
          note: verified ? "Verified" : isSecond ? "Now" : "Next",
          isCurrent: isSecond,
          isDone: verified,
        },
      ]}
      className={`grid-cols-2 border-t-2 border-edge [--u-h:60px] [--u-w:48px] ${className}`}
    />
  );
}
