/* Like every `.server` module, empty in browsers: they load the strip from a script of its own. */
export { GetReady } from "./get-ready";
