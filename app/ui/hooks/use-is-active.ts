import { useEffect, useState } from "react";

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

/**
 * Whether the page is being used: whether there was a touch, a key, a move of the pointer or a return to the tab lately.
 * @param idleAfter how long without one makes it unused, in milliseconds
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
