import { useEffect, useState, useSyncExternalStore } from "react";

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

/** Calls back when the tab is shown or hidden. @returns a function that stops it */
function watchVisibility(callback: () => void): () => void {
  document.addEventListener("visibilitychange", callback);
  return () => document.removeEventListener("visibilitychange", callback);
}

/** Whether the tab is visible. */
export const useIsVisible = (): boolean =>
  useSyncExternalStore(
    watchVisibility,
    () => !document.hidden,
    () => true,
  );

/**
 * Whether the page is in use: whether the player has recently touched it, pressed a key, scrolled, moved or pressed the
 * pointer, or returned to the tab.
 * @param idleAfter the time without any of these after which the page counts as idle, in milliseconds
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
    for (const sign of SIGNS) window.addEventListener(sign, touch, { passive: true });
    const unwatch = watchVisibility(() => {
      if (!document.hidden) touch();
    });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, touch);
      unwatch();
    };
  }, [idleAfter]);
  return isActive;
}
