import { useLocation } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";

/** Whether the keys open the search: Ctrl K, or ⌘K on Apple's devices, where Ctrl K cuts a line in text fields. */
function isShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = /Mac|iP/.test(navigator.platform) ? metaKey : ctrlKey;
  // On keyboards without Latin letters, the key's position counts.
  return isHeld && !altKey && !shiftKey && (/^[a-z]$/i.test(key) ? key.toLowerCase() === "k" : code === "KeyK");
}

/**
 * Opens the search as a dialog over any page whose header links to it. The first press loads the dialog; if it can't be
 * loaded, the link is followed. On the search page itself, the keys lead to its field.
 */
export function SearchShortcut() {
  const { key } = useLocation();
  const [Dialog, setDialog] = useState<ComponentType<{ onClose: () => void }>>();
  // A navigation removes the dialog in the same render as the page below it.
  const [openAt, setOpenAt] = useState("");
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const link = document.querySelector<HTMLElement>("[aria-keyshortcuts]");
      if (!isShortcut(event) || !link || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      const field = document.getElementById("search");
      if (field) return field.focus();
      import("./search-dialog.client").then(
        ({ SearchDialog }) => {
          setDialog(() => SearchDialog);
          setOpenAt(key);
        },
        () => link.click(),
      );
    };
    document.addEventListener("keydown", listen);
    return () => {
      document.removeEventListener("keydown", listen);
      // Going back must not open it again.
      setOpenAt("");
    };
  }, [key]);
  return Dialog && openAt === key ? <Dialog onClose={() => setOpenAt("")} /> : null;
}
