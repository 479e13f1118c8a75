/* Empty in browsers, which load the strip separately. */
export { GetReady } from "./get-ready";
