/**
 * A green tick and `Verified` or `Verified by Riot`: the state of the account's Riot ID, as worded in `rules.ts`. Never
 * used for a rank.
 */
export function VerifiedMark({
  label,
  title,
  className = "",
  wordClass,
}: {
  label: string;
  title: string;
  className?: string;
  /** The class of the label. It can hide the label from all but screen readers where there is no room. */
  wordClass?: string;
}) {
  return (
    <span title={title} className={`verified ${className}`.trimEnd()}>
      {wordClass ? <span className={wordClass}>{label}</span> : label}
    </span>
  );
}
