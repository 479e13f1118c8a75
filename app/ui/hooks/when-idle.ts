/** Runs `work` once the browser is idle, or after half a second in browsers without idle callbacks (Safari). */
export function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work);
  else setTimeout(work, 500);
}
