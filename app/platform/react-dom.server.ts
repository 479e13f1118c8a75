/**
 * What the Worker has instead of react-dom: pages are written by `react-dom/server`, and all that React Router wants of
 * react-dom is this one function, in browsers. Another name that a package asks for fails the build.
 */
export function flushSync(): never {
  throw new Error("There is no DOM in the Worker.");
}
