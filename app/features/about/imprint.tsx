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
                explains how to reach us about reports, your data, decisions and security.
              </p>
            </>
          ),
        },
        {
          id: "responsible-for-content",
          title: "Responsibility for content",
          text: (
            <p>
              The operator is responsible for the site and its own texts. Players write the posts, messages, reviews,
              profiles and tournaments, and are responsible for them. If something here breaks the law, tell us. We'll
              review it, and remove it if it's illegal.
            </p>
          ),
        },
      ]}
    />
  );
}
