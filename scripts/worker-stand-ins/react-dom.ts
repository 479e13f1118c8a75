/**
 * What the Worker has in place of react-dom (scripts/local/bundle.ts). Pages are written by `react-dom/server`; of
 * react-dom itself React Router wants `flushSync` and the toaster `createPortal`, and both call them in browsers only. A
 * package that imports another name fails the build.
 */
export function flushSync(): never {
  throw new Error("There is no DOM in the Worker.");
}

export const createPortal = flushSync;
