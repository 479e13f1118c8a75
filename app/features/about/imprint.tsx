import type { Operator } from "~/platform/operator";
import { TextPage } from "~/ui/page/text-page";
import { OperatorAddress, WriteTo } from "./operator";

/** Names the operator. */
export function Imprint({ operator }: { operator: Operator }) {
  return (
    <TextPage
      title="Imprint"
      lead="Who runs this site, and how to reach them."
      sections={[
        { id: "operator", title: "Operator", text: <OperatorAddress {...operator} /> },
        {
          id: "contact",
          title: "Contact",
          text: (
            <>
              <WriteTo address={operator.contactEmail} />
              <p>
                <a className="link" href="/contact">
                  Contact
                </a>{" "}
                says what to write about what: reports, your data, decisions, security.
              </p>
            </>
          ),
        },
        {
          id: "responsible-for-content",
          title: "Who is responsible for what",
          text: (
            <p>
              The operator answers for the site and its own texts. Posts, messages, reviews, profiles and tournaments
              are written by players, who answer for them. If something there breaks the law, tell us: we look at it and
              remove it if it does.
            </p>
          ),
        },
      ]}
    />
  );
}
