import { Avatar, type Presence } from "~/ui/avatar";

/** The banner of a conversation: the other player's, or two narrow ones for a party. */
export function ConversationBanner({
  letters: [first, second],
  picture,
  presence = "none",
  size = "normal",
}: {
  letters: readonly [string] | readonly [string, string];
  /** The key of the other player's picture; a party has none. */
  picture?: string | null | undefined;
  presence?: Presence;
  size?: "normal" | "header";
}) {
  if (second === undefined) return <Avatar letter={first} picture={picture} presence={presence} size={size} />;
  return (
    <span aria-hidden="true" className="banners flex flex-none items-start gap-0.5">
      <Avatar letter={first} className="text-badge! [--u-w:19px]" />
      <Avatar letter={second} className="text-badge! [--u-h:36px] [--u-w:19px]" />
    </span>
  );
}
