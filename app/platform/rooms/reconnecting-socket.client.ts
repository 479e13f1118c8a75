/** The one door to partysocket. `.client`: only browsers call on rooms through it, so the Worker carries none of it. */
export { default as ReconnectingSocket } from "partysocket/ws";
