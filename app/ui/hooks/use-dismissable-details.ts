import { type RefObject, useEffect, useRef } from "react";

/**
 * Makes a `<details>` menu close as menus do: with Escape, which returns the focus, and by a click elsewhere. Without
 * script its summary closes it. Under a modal dialog it stays open: the menu may hold the link that opened the dialog,
 * and the dialog returns the focus to that link.
 */
export function useDismissableDetails(): RefObject<HTMLDetailsElement> {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const isCovered = () => document.querySelector("dialog:modal") !== null;
    const press = ({ target }: PointerEvent) => {
      if (ref.current && !ref.current.contains(target as Node) && !isCovered()) ref.current.open = false;
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !ref.current?.open || isCovered()) return;
      ref.current.open = false;
      ref.current.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", press);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("pointerdown", press);
      document.removeEventListener("keydown", key);
    };
  }, []);
  return ref;
}
