import type { Operator } from "~/platform/operator";
import { TextPage } from "~/ui/page/text-page";
import { MailLink, OperatorAddress, WriteTo } from "./operator";

/** Says how to reach the operator, and what to write for each purpose. */
export function Contact({ operator }: { operator: Operator }) {
  return (
    <TextPage
      title="Contact"
      lead="A person reads every message. English is best."
      sections={[
        {
          id: "write",
          title: "Write to us",
          text: (
            <>
              <WriteTo address={operator.contactEmail} />
              <p>
                If it's about your account, write from its email address. Never send us your password or a code. We
                don't ask for them.
              </p>
              <OperatorAddress {...operator} />
            </>
          ),
        },
        {
          id: "report",
          title: "Report a player, a message or illegal content",
          text: (
            <>
              <p>
                The quickest way is <strong>Report</strong>, on every post, player, review, team and tournament, and on
                messages to you. It keeps a copy of what you saw, even if it's deleted later. You don't need an account
                to report anything public. We'll email you once your report has arrived.
              </p>
              <p>
                If you can't use it, write to us. Tell us the address of the page, what's wrong with it (and, if you
                can, which law it breaks), and your name and email address. For sexual content about minors, you can
                leave out your name.
              </p>
              <p>
                Complaints under the UK's Online Safety Act go to the same address, whether they're about content, a
                moderator's decision, or how we follow the Act.
              </p>
            </>
          ),
        },
        {
          id: "urgent",
          title: "Urgent",
          text: (
            <ul>
              <li>If someone's life is in danger, call the police first. Then tell us.</li>
              <li>
                If an intimate picture of you is here without your consent, report it as "Intimate pictures without
                consent", or write "intimate picture" in the subject. We'll remove it within 48 hours.
              </li>
            </ul>
          ),
        },
        {
          id: "decisions",
          title: "A decision about you",
          text: (
            <p>
              Once you're signed in, it's under{" "}
              <a className="link" href="/account/decisions">
                Decisions
              </a>
              , with the reasons and how to appeal, even if you're suspended.{" "}
              <a className="link" href="/terms#decisions">
                The terms
              </a>{" "}
              list the decisions that moderators can make.
            </p>
          ),
        },
        {
          id: "data",
          title: "Your data",
          text: (
            <p>
              Once you're signed in, you can download all your data under Settings, Your Data, and delete your account
              under Settings, Delete Account.{" "}
              <a className="link" href="/privacy">
                Privacy
              </a>{" "}
              lists the data that we keep. For anything else about your data, write to the address above.
            </p>
          ),
        },
        {
          id: "authorities",
          title: "Authorities",
          text: (
            <p>
              The address above is also our point of contact for authorities, under Articles 11 and 12 of the Digital
              Services Act. You can write in English.
            </p>
          ),
        },
        {
          id: "security",
          title: "Security",
          text: (
            <>
              <p>
                Found a vulnerability?{" "}
                {operator.securityEmail ? (
                  <>
                    Write to <MailLink address={operator.securityEmail} />,
                  </>
                ) : (
                  "Write to the operator,"
                )}{" "}
                with the steps to reproduce it. Please try it only on your own accounts, don't read or change other
                people's data, don't slow the site down, and give us time to fix it before you tell others. We don't
                take action against anyone who sticks to this, and we're grateful for every report.
              </p>
              <p>
                For machines:{" "}
                <a className="link" href="/.well-known/security.txt">
                  security.txt
                </a>
                .
              </p>
            </>
          ),
        },
      ]}
    />
  );
}
