import { useRouteLoaderData } from "@remix-run/react";
import type { ComponentProps } from "react";
import { Button } from "./button";
import { showToast } from "./toasts/use-toasts";

const load = () => import("./share.client");

/**
 * Opens the device's share sheet, or else copies the link and confirms that; the code for both loads when the pointer
 * comes near. Without JavaScript the link is shown. Takes the attributes of a button.
 * @param link a path of ours, or a whole address
 * @param title the name of the shared page
 * @param text a sentence for the message
 * @param field the id of a field that holds the link, for browsers that can neither share nor copy
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
  // The root's loader (`app/root-data.server.ts`) knows it; without it, the link is shown as the path.
  const root = useRouteLoaderData("root") as { origin?: string } | undefined;
  const url = link[0] === "/" ? `${root?.origin ?? ""}${link}` : link;
  return (
    <>
      <Kind
        {...look}
        type="button"
        onPointerEnter={load}
        onClick={() => load().then(({ share }) => share({ url, title, ...(text && { text }) }, showToast, field))}
        className={`${className} noscript:hidden`}
      >
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
