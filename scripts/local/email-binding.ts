import { readFileSync } from "node:fs";
import { Log, LogLevel } from "miniflare";

/** An e-mail that the Worker handed to its `send_email` binding. */
export interface BoundEmail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Miniflare's `send_email` binding sends nothing: it keeps the parts of an e-mail in files and names them in its log.
 * This log reads them again, and says of the rest what is an error.
 */
export class EmailBindingLog extends Log {
  /** What was handed to the binding, in order. */
  readonly sent: BoundEmail[] = [];

  constructor() {
    super(LogLevel.ERROR);
  }

  override logWithLevel(level: LogLevel, message: string): void {
    if (!message.includes("send_email binding called with MessageBuilder")) {
      super.logWithLevel(level, message);
      return;
    }
    const part = (name: string) => message.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
    const text = (name: string) => readFileSync(part(name), "utf8");
    const [from, to, subject] = [part("From"), part("To"), part("Subject")];
    this.sent.push({ from, to, subject, text: text("Text"), html: text("HTML") });
  }
}
