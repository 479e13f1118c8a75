import "./shell";

export type Presence = "online" | "away" | "none";

const SIZES = {
  small: "[--u-w:28px] [--u-h:34px] text-meta",
  normal: "text-landing",
  header: "[--u-h:50px] text-landing",
  large: "[--u-w:52px] [--u-h:70px] text-section",
} as const;

/**
 * A player's banner: the first letter of the name, and a dot when online, a ring when away. It is decoration: the name
 * (and the word Online, where it matters) stands beside it.
 */
export function Avatar({
  letter,
  presence = "none",
  size = "normal",
  className = "",
}: {
  letter: string;
  presence?: Presence;
  size?: keyof typeof SIZES;
  className?: string;
}) {
  return (
    <span aria-hidden="true" className={`u u-banner ${SIZES[size]} ${className}`}>
      {letter}
      {presence !== "none" && <span className="presence" data-presence={presence} />}
    </span>
  );
}
