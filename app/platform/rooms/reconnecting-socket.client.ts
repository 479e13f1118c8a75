/**
 * The only import of partysocket. It is a `.client` module because only browsers use it, which keeps it out of the
 * Worker.
 */
export { default as ReconnectingSocket } from "partysocket/ws";
