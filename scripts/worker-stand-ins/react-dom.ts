/**
 * Replaces react-dom in the Worker (scripts/local/bundle.ts). Pages are rendered by `react-dom/server`; React Router
 * imports `flushSync` from react-dom itself, and the toaster imports `createPortal`; both call them only in browsers. A
 * package that imports another name fails the build.
 */
export function flushSync(): never {
  throw new Error("There is no DOM in the Worker.");
}

export const createPortal = flushSync;
