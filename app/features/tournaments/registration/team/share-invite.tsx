import { useState } from "react";
import { Button } from "~/ui/button";

/**
 * `Share Invite`: opens the device's own sheet for sharing, or else copies the team's link. Without JavaScript the link
 * is there to read.
 */
export function ShareInvite({ link, team, tournament }: { link: string; team: string; tournament: string }) {
  const [isCopied, setCopied] = useState(false);
  async function share() {
    if ("share" in navigator) {
      // It also fails if the player closes the sheet, which needs no answer.
      await navigator
        .share({ title: tournament, text: `Play with ${team} in ${tournament}`, url: link })
        .catch(() => {});
      return;
    }
    // A browser without either leaves the link selected in its field below.
    await copy(link).then(() => setCopied(true), selectLink);
  }
  return (
    <>
      <Button type="button" variant="primary" onClick={share} className="noscript:hidden max-md:w-full">
        {isCopied ? "Link Copied" : "Share Invite"}
      </Button>
      <p className="hidden wrap-anywhere noscript:block">
        Share this link:{" "}
        <a href={link} className="link">
          {link}
        </a>
      </p>
    </>
  );
}

/** Fails where the browser has no clipboard, too. */
const copy = async (text: string) => navigator.clipboard.writeText(text);

const selectLink = () => document.getElementById("invite-link")?.focus();
