/*
 * Node's events, as workerd has them, for packages that require them by the short name: what the bundle of the Worker takes
 * in place of `events` (scripts/local/bundle.ts).
 */
export { EventEmitter } from "node:events";
