export type Presence = "online" | "away" | "none";

const SIZES = {
  small: "[--u-w:28px] [--u-h:34px] text-meta",
  normal: "text-landing",
  // The team around them sets the size of the letters.
  team: "",
  header: "[--u-h:50px] text-landing",
  player: "[--u-w:52px] [--u-h:66px] text-post",
  large: "[--u-w:52px] [--u-h:70px] text-section",
  profile: "[--u-w:72px] [--u-h:100px] text-title-phone [&>.presence]:right-[3px] [&>.presence]:bottom-[5px]",
} as const;

/**
 * A player's banner: their picture, or the first letter of the name, with a dot if they are online and a ring if away.
 * It is decoration: the name (and the word Online, where it matters) is next to it.
 */
export function Avatar({
  letter,
  picture,
  presence = "none",
  isYou,
  size = "normal",
  className = "",
}: {
  letter: string;
  /** The key of the player's picture. The letter shows without a picture, and until it has loaded. */
  picture?: string | null | undefined;
  presence?: Presence | undefined;
  /** Whether it is the viewer's own banner in a team. If so, it is filled with sky blue, and drops in. */
  isYou?: boolean | undefined;
  size?: keyof typeof SIZES;
  className?: string;
}) {
  return (
    <span
      // In a team, the element around all its banners is already hidden from screen readers.
      aria-hidden={size === "team" ? undefined : "true"}
      className={["u", isYou ? "u-filled u-you" : "u-banner", SIZES[size], className].filter(Boolean).join(" ")}
    >
      {letter}
      {picture && <img src={`/avatars/${picture}`} alt="" />}
      {presence !== "none" && <span className="presence" data-presence={presence} />}
    </span>
  );
}
