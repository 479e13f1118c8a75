import type { Operator } from "~/platform/operator";
import { TextPage } from "~/ui/page/text-page";
import { UNNAMED } from "./operator";

/** When the text below was last changed in a way that matters to players. */
const CHANGED = "23 November 2026";

/** The terms that players agree to at sign-up. */
export function Terms({ operator }: { operator: Operator }) {
  return (
    <TextPage
      title="Terms"
      lead="These terms say what you can expect from us, and what we expect from you. They're in plain words and take five minutes to read."
      inForceSince={CHANGED}
      sections={[
        {
          id: "lineup",
          title: "What Lineup is",
          text: (
            <>
              <p>
                On Lineup, VALORANT players find teammates. It has posts, messages, teams, reviews, and tournaments that
                players host. It's free. It's a beta, so things change, and sometimes they break.
              </p>
              <p>
                {operator.name ? (
                  <>
                    These terms are between you and {operator.name}; <Imprint /> has the address.
                  </>
                ) : (
                  <>These terms are between you and the operator. {UNNAMED}</>
                )}{" "}
                Riot Games has no part in Lineup. Riot's own terms still apply to your game account.
              </p>
            </>
          ),
        },
        {
          id: "age",
          title: "How old you have to be",
          text: (
            <p>
              You have to be at least 13. If the law of your country requires you to be 16 to agree to these terms on
              your own, you have to be at least 16, or have a parent agree for you.
            </p>
          ),
        },
        {
          id: "account",
          title: "Your account",
          text: (
            <ul>
              <li>Use an email address that you read, and only link Riot accounts that are yours.</li>
              <li>Keep your password to yourself. If someone else gets into your account, tell us.</li>
              <li>
                You can leave at any time, under Settings, Delete Account. You have seven days to change your mind. Then
                the account is erased.
              </li>
            </ul>
          ),
        },
        {
          id: "words",
          title: "What you write and upload",
          text: (
            <>
              <p>
                Your content stays yours. You allow us to store it and to show it to the people it's meant for, for as
                long as it's here. Lineup couldn't work without that. Only post content that you have the right to post.
              </p>
              <p>
                Messages belong to both sides. If you delete your account, your messages stay with the people you wrote
                to, without your name.
              </p>
            </>
          ),
        },
        {
          id: "rules",
          title: "The rules",
          text: (
            <p>
              <a className="link" href="/rules">
                The rules
              </a>{" "}
              are part of these terms. They're short.
            </p>
          ),
        },
        {
          id: "decisions",
          title: "If rules are broken",
          text: (
            <>
              <p>
                Anyone can send a report, with or without an account. Software may point moderators to a text, but only
                people make decisions. Depending on what happened, how bad it was and how often it happened, they can
              </p>
              <ul>
                <li>leave it as it is,</li>
                <li>hide the reported content,</li>
                <li>warn you,</li>
                <li>stop you from posting, messaging, hosting or joining tournaments for some time,</li>
                <li>suspend your account until a certain day, or</li>
                <li>ban it.</li>
              </ul>
              <p>
                We tell you the decision by email and under{" "}
                <a className="link" href="/account/decisions">
                  Decisions
                </a>
                : how long it lasts, the facts and the rule behind it, whether software pointed us to the content, and
                how to appeal. You can appeal for six months. The person who made the decision never decides the appeal.
                Either way, you can still go to court.
              </p>
            </>
          ),
        },
        {
          id: "tournaments",
          title: "Tournaments and money",
          text: (
            <p>
              Players host the tournaments, not us. Entry fees and prizes are between the host and the teams: Lineup
              doesn't handle payments, and we don't pay prizes. If there's a fee, hosts must follow Riot's conditions:
              at least 20 players, and at least 70% of the fees for prizes. Betting isn't allowed.
            </p>
          ),
        },
        {
          id: "order",
          title: "What you see first",
          text: (
            <p>
              Best matches are sorted by how well they fit you: whether your ranks can queue together, your roles, when
              you play, region, languages, voice and playstyle. Each one shows the reasons. The directory is sorted in
              the same way, unless you choose reviews or the newest first. Other lists are sorted by time. Nobody can
              pay to be shown higher up.
            </p>
          ),
        },
        {
          id: "promises",
          title: "What we promise, and what we don't",
          text: (
            <>
              <p>
                We do our best to keep Lineup running and your data safe. We can't promise that it always works, or that
                players are who they say they are. The mark Verified means that a Riot account exists. Only the mark
                Verified by Riot means that it's theirs.
              </p>
              <p>
                We're liable without limit for harm that we cause on purpose or by gross negligence, and for harm to
                life, body or health. For slight negligence, we're liable only if we break a duty that is essential to
                this agreement, and only for foreseeable damage. These terms don't limit your legal rights as a
                consumer.
              </p>
            </>
          ),
        },
        {
          id: "changes",
          title: "If these terms change",
          text: (
            <p>
              The date at the top says when this text took effect. If you don't agree with a change, you can delete your
              account. The law of the operator's country applies, and so does your own country's consumer protection.
            </p>
          ),
        },
      ]}
    />
  );
}

const Imprint = () => (
  <a className="link" href="/imprint">
    the imprint
  </a>
);
