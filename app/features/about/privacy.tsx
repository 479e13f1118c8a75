import type { Operator } from "~/platform/operator";
import { TextPage } from "~/ui/page/text-page";
import { CACHES, COOKIES, STORAGE } from "./browser-data";
import { KEPT_DATA } from "./kept-data";
import { OperatorAddress, WriteTo } from "./operator";
import type { Recipient } from "./recipients";

/** When the text below was last changed in a way that matters to players. */
const CHANGED = "23 November 2026";

/** Says which data the site keeps, why, for how long, and who gets it. */
export function Privacy({ operator, recipients }: { operator: Operator; recipients: readonly Recipient[] }) {
  return (
    <TextPage
      title="Privacy"
      lead="We keep only the data that it takes to find teammates. You can see it and delete it, and nobody can buy it. There are no ads, no trackers and no analytics here."
      inForceSince={CHANGED}
      sections={[
        {
          id: "who",
          title: "Who is responsible",
          text: (
            <>
              <OperatorAddress {...operator} />
              <WriteTo address={operator.contactEmail} />
            </>
          ),
        },
        {
          id: "data",
          title: "What we keep, why, and for how long",
          text: (
            <>
              <p>
                This table lists all the data that we keep. The operator can see everything in it, even where a row
                doesn't say so, except for hashes and encrypted data.
              </p>
              <Facts
                head={["What", "Why", "How long", "Who sees it"]}
                rows={KEPT_DATA.map(({ what, why, until, seenBy }) => [what, why, until, seenBy])}
              />
            </>
          ),
        },
        {
          id: "recipients",
          title: "Who else gets data",
          text: (
            <>
              <ul>
                {recipients.map(({ name, gets }) => (
                  <li key={name}>
                    <strong className="font-semibold">{name}</strong> {gets}
                  </li>
                ))}
              </ul>
              <p>
                Some of them are outside the European Union. For those, the safeguards in their own contracts apply. We
                also give data to authorities if the law requires it, and tell the police if a life is in danger.
              </p>
            </>
          ),
        },
        {
          id: "cookies",
          title: "Cookies, and why there's no banner",
          text: (
            <>
              <p>
                A banner asks for consent to cookies that a site doesn't need, and Lineup sets no such cookies. Each
                cookie in the table below does something that you asked for or that the page needs to work, and none of
                them tracks you on other sites. The law allows them without consent.
              </p>
              <Facts
                head={["Cookie", "What it does", "How long"]}
                rows={COOKIES.map(({ name, why, until }) => [name, why, until])}
              />
              <p>
                Your browser also keeps the following for you. It never sends us any of this, except the messages that
                you send. Cloudflare may set its own cookies to tell people from bots (<code>__cf_bm</code>,
                <code>cf_clearance</code>).
              </p>
              <Facts
                head={["In your browser", "What it does", "How long"]}
                rows={[...STORAGE, ...CACHES].map(({ name, why, until }) => [name, why, until])}
              />
            </>
          ),
        },
        {
          id: "law",
          title: "Our legal basis",
          text: (
            <p>
              We need most of this data for the service you signed up for (Article 6(1)(b) of the GDPR). Counters, the
              log of requests, the history of your account, blocks and reports keep players and the site safe (6(1)(f)).
              The law requires our steps against illegal content (6(1)(c)). Software alone never makes a decision about
              you.
            </p>
          ),
        },
        {
          id: "rights",
          title: "Your rights",
          text: (
            <>
              <ul>
                <li>See all your data and take it with you: Settings, Your Data, gives you one file.</li>
                <li>Correct your data: you can change your profile and your settings.</li>
                <li>
                  Have your data erased: Settings, Delete Account. You have seven days to change your mind, then it's
                  gone.
                </li>
                <li>Object to a use of your data, or ask us to pause it while we look into it: write to us.</li>
                <li>Complain to the data protection authority where you live.</li>
              </ul>
              <p>If you don't have an account, for example because you reported something as a visitor, write to us.</p>
            </>
          ),
        },
        {
          id: "age",
          title: "Young players",
          text: (
            <p>
              Lineup is for players aged 13 and over, or 16 and over where the law of their country requires it. If you
              know that someone younger has an account, tell us, and we'll delete it.
            </p>
          ),
        },
      ]}
    />
  );
}

/** Renders a table of facts. On phones each row is a block, in which every cell after the first names its column. */
function Facts({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {others.map((text, index) => (
              <td key={head[index + 1]}>
                <span className="cell-name" aria-hidden="true">
                  {head[index + 1]}
                </span>
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
