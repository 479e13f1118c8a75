import { useRouteLoaderData } from "@remix-run/react";
import type { ComponentProps } from "react";
import { Button } from "./button";
import { showToast } from "./toasts/use-toasts";

const load = () => import("./share.client");
/** A failure is ignored here, because a click loads the script again and handles the failure. */
const preload = () => void load().catch(() => undefined);

/**
 * Opens the device's share sheet, or else copies the link and confirms that. The code for both loads when the pointer
 * enters the button, or else on a click. Without JavaScript the link is shown. Takes the attributes of a button.
 * @param link a path of ours, or a whole address
 * @param title the name of the shared page
 * @param text a sentence for the message
 * @param field the id of a field that holds the link, which gets the focus if the link can neither be shared nor copied
 * @param as the button's component: `Button`, or one that is styled by its class
 */
export function ShareButton({
  link,
  title,
  text,
  field,
  as: Kind = Button,
  children = "Share",
  className = "",
  ...look
}: {
  link: string;
  title: string;
  text?: string;
  field?: string;
  as?: typeof Button | "button";
} & Partial<ComponentProps<typeof Button>>) {
  // The origin comes from the root's loader (`app/root-data.server.ts`). Without it, the link is only the path.
  const root = useRouteLoaderData("root") as { origin?: string } | undefined;
  const url = link[0] === "/" ? `${root?.origin ?? ""}${link}` : link;
  const press = () =>
    load()
      .then(({ share }) => share({ url, title, ...(text && { text }) }, showToast))
      .catch(() => {
        if (field) return document.getElementById(field)?.focus();
        const description = "Copy this page's address from your browser instead.";
        showToast({ id: crypto.randomUUID(), kind: "error", title: "The link couldn't be copied", description });
      });
  return (
    <>
      <Kind {...look} type="button" onPointerEnter={preload} onClick={press} className={`${className} noscript:hidden`}>
        {children}
      </Kind>
      <span className="hidden w-full wrap-anywhere text-muted noscript:block">
        Share this link:{" "}
        <a href={url} className="link">
          {url}
        </a>
      </span>
    </>
  );
}
