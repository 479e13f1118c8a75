import { useEffect, useLayoutEffect } from "react";

/** `useLayoutEffect`, but on the server, where there is no layout to wait for and React warns about the attempt. */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
