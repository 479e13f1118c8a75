import { useEffect, useState } from "react";

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

/**
 * Whether the page is in use: whether there was a touch, a key press, a pointer movement or a return to the tab
 * recently.
 * @param idleAfter the time without any of these after which it is idle, in milliseconds
 */
export function useIsActive(idleAfter: number): boolean {
  const [isActive, setIsActive] = useState(true);
  useEffect(() => {
    let timer = setTimeout(() => setIsActive(false), idleAfter);
    const touch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setIsActive(false), idleAfter);
      setIsActive(true);
    };
    const appear = () => {
      if (!document.hidden) touch();
    };
    for (const sign of SIGNS) window.addEventListener(sign, touch, { passive: true });
    document.addEventListener("visibilitychange", appear);
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, touch);
      document.removeEventListener("visibilitychange", appear);
    };
  }, [idleAfter]);
  return isActive;
}
