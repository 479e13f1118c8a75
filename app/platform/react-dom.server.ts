/**
 * What the Worker has in place of react-dom (scripts/local/bundle.ts). Pages are written by `react-dom/server`; all that
 * React Router wants of react-dom itself is this one function, and it only calls it in browsers. A package that
 * imports another name fails the build.
 */
export function flushSync(): never {
  throw new Error("There is no DOM in the Worker.");
}
