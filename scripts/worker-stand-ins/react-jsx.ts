/** What the Worker's modules import in place of `react/jsx-runtime`: the same, name by name (`react.server.ts`). */
import * as runtime from "react/jsx-runtime";

export const Fragment = runtime.Fragment;
export const jsx = runtime.jsx;
export const jsxs = runtime.jsxs;
