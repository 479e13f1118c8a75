/* Empty in browsers, which load the strip apart. */
export { GetReady } from "./get-ready";
