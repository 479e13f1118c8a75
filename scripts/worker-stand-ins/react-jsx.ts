/**
 * Replaces `react/jsx-runtime` for imports in the Worker: the same functions, exported by name, for the reason given in
 * `react.ts`.
 */
import * as runtime from "react/jsx-runtime";

export const Fragment = runtime.Fragment;
export const jsx = runtime.jsx;
export const jsxs = runtime.jsxs;
