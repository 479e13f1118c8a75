import { useEffect, useLayoutEffect } from "react";

/** `useLayoutEffect` in the browser; on the server, where React warns about it, `useEffect`. */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
