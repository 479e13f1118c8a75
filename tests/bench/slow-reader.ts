import { connect } from "node:net";
import type { Client } from "../support/client";

/**
 * Opens a conversation's socket by hand and stops reading from it, as a tab on a dead connection does.
 * @returns a function that closes it
 */
export async function openSlowReader(client: Client, conversationId: string): Promise<() => void> {
  const { hostname, port, host } = new URL(client.base);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const request = [
    `GET /parties/conversation/${conversationId} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${client.base}`,
    `Cookie: ${client.cookieHeader}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const reply = await new Promise<string>((resolve) => {
    socket.once("data", (data) => resolve(data.toString()));
    socket.write(`${request.join("\r\n")}\r\n\r\n`);
  });
  if (!reply.startsWith("HTTP/1.1 101")) throw new Error(`The slow reader was answered with ${reply.slice(0, 100)}.`);
  socket.pause();
  return () => socket.destroy();
}
