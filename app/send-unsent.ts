/* Loaded separately (`app/offline.ts`). It imports the shell so that the toasts' functions stay in the shell's file. */
import "./shell";

export { sendUnsent } from "./features/messages/thread/send-unsent";
