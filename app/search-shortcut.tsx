import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

type SearchDialog = typeof import("./search-dialog.client")["SearchDialog"];

/** Whether the keys open the search: Ctrl K, or ⌘K on Apple's devices, where Ctrl K cuts a line in text fields. */
function isShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = /Mac|iP/.test(navigator.platform) ? metaKey : ctrlKey;
  // On keyboards without Latin letters, the key's position counts.
  return isHeld && !altKey && !shiftKey && (/^[a-z]$/i.test(key) ? key.toLowerCase() === "k" : code === "KeyK");
}

/**
 * Opens the search as a dialog over any page whose header links to it. The first press loads the dialog; if it can't be
 * loaded, the link is followed. Letters typed while it loads end up in its field. On the search page itself, the keys
 * lead to its field.
 */
export function SearchShortcut() {
  const { key } = useLocation();
  const [Dialog, setDialog] = useState<SearchDialog>();
  // A navigation removes the dialog in the same render as the page below it.
  const [openAt, setOpenAt] = useState("");
  const typed = useRef<string>();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (typed.current !== undefined && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        typed.current += event.key;
        return;
      }
      const link = document.querySelector<HTMLElement>("[aria-keyshortcuts]");
      if (!isShortcut(event) || !link || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      const field = document.getElementById("search");
      if (field) return field.focus();
      typed.current = "";
      import("./search-dialog.client").then(
        ({ SearchDialog }) => {
          setDialog(() => SearchDialog);
          setOpenAt(key);
        },
        () => {
          typed.current = undefined;
          link.click();
        },
      );
    };
    document.addEventListener("keydown", listen);
    return () => {
      document.removeEventListener("keydown", listen);
      // Going back must not open it again.
      setOpenAt("");
      typed.current = undefined;
    };
  }, [key]);
  return Dialog && openAt === key ? <Dialog onClose={() => setOpenAt("")} typed={typed} /> : null;
}
