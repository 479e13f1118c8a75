/*
 * workerd's version of Node's events, for packages that require it as `events`; it replaces that name in the Worker's
 * bundle (scripts/local/bundle.ts).
 */
export { EventEmitter } from "node:events";
