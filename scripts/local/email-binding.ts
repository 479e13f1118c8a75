import { readFileSync } from "node:fs";
import { Log, LogLevel } from "miniflare";

/** An email that the Worker sent through its `send_email` binding. */
export interface BoundEmail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Reads the emails from Miniflare's log: its `send_email` binding sends nothing, but writes the parts of an email to
 * files and logs their names. Of the other log lines, errors are printed.
 */
export class EmailBindingLog extends Log {
  /** The emails sent through the binding, in order. */
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
