/** Runs `work` once the browser has nothing more urgent to do; soon, in a browser without idle callbacks (Safari). */
export function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work);
  else setTimeout(work, 500);
}
