import { CheckIcon } from "~/ui/icons";

/**
 * A green tick and `Verified` or `Verified by Riot`: the state of the account's Riot ID, in the words of `rules.ts`.
 * Never used for a rank.
 */
export function VerifiedMark({
  label,
  title,
  className = "",
  wordClass = "",
}: {
  label: string;
  title: string;
  className?: string;
  /** The class of the word, which can hide it from all but screen readers where there is no room. */
  wordClass?: string;
}) {
  return (
    <span
      title={title}
      className={`inline-flex flex-none items-center gap-1.5 text-meta font-medium whitespace-nowrap text-muted ${className}`}
    >
      <CheckIcon className="size-3.5 text-good" />
      <span className={wordClass}>{label}</span>
    </span>
  );
}
