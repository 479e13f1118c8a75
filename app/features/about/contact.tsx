import type { Operator } from "~/platform/operator";
import { TextPage } from "~/ui/page/text-page";
import { MailLink, OperatorAddress, WriteTo } from "./operator";

/** Says how to reach the operator, and what to write for each purpose. */
export function Contact({ operator }: { operator: Operator }) {
  return (
    <TextPage
      title="Contact"
      lead="A person reads what you write. English is best."
      sections={[
        {
          id: "write",
          title: "Write to us",
          text: (
            <>
              <WriteTo address={operator.contactEmail} />
              <p>
                If it's about your account, write from its e-mail address. Never send us your password or a code: we
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
                The quickest way is <strong>Report</strong>, which is on every post, player, review, team and
                tournament, and on messages to you. It keeps what you saw, even if it is deleted later. Public things
                can be reported without an account. You get an e-mail that says your report has arrived.
              </p>
              <p>
                If you can't use it, write to us: the address of the page, what is wrong with it (if you can, which law
                it breaks), and your name and e-mail address. For sexual content about minors you may leave out your
                name.
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
                An intimate picture of you that is here without your consent: write "intimate picture" in the subject.
                It is removed within 48 hours.
              </li>
            </ul>
          ),
        },
        {
          id: "decisions",
          title: "A decision about you",
          text: (
            <p>
              Once you are signed in, it is under{" "}
              <a className="link" href="/account/decisions">
                Decisions
              </a>
              , with the reasons and the way to appeal; that holds for suspended players, too.{" "}
              <a className="link" href="/terms#decisions">
                The terms
              </a>{" "}
              say what moderators can decide.
            </p>
          ),
        },
        {
          id: "data",
          title: "Your data",
          text: (
            <p>
              Once you are signed in, you can download everything under Settings, Your Data, and delete your account
              under Settings, Delete Account.{" "}
              <a className="link" href="/privacy">
                Privacy
              </a>{" "}
              says what we keep. For anything else about your data, write to the address above.
            </p>
          ),
        },
        {
          id: "authorities",
          title: "Authorities",
          text: (
            <p>
              The address above is our point of contact for authorities, too, in the sense of Articles 11 and 12 of the
              Digital Services Act. You can write in English.
            </p>
          ),
        },
        {
          id: "security",
          title: "Security",
          text: (
            <>
              <p>
                Found a hole?{" "}
                {operator.securityEmail ? (
                  <>
                    Write to <MailLink address={operator.securityEmail} />,
                  </>
                ) : (
                  "Write to the operator,"
                )}{" "}
                with the steps to see it. Please try it on accounts of your own only, don't read or change what belongs
                to others, don't slow the site down, and give us time to mend it before you tell others. We don't take
                action against anyone who keeps to this, and thank everyone who reports.
              </p>
              <p>
                The same for machines:{" "}
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
