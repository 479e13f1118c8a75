import type { MetaFunction } from "@remix-run/cloudflare";
import { RuleList } from "~/features/moderation/rule-list";
import { originOf, publicPage } from "~/platform/pages/public-page";
import "~/shell";

export const meta: MetaFunction = ({ matches }) =>
  publicPage({
    title: "Code of conduct",
    description: "The rules that every Lineup player agrees to, and that moderators name in their decisions.",
    path: "/rules",
    origin: originOf(matches),
  });

export default function RulesPage() {
  return (
    <div className="pt-7 lg:pt-11">
      <h1 className="font-display text-title-phone md:text-title">Code of conduct</h1>
      <p className="mt-3 mb-5 max-w-[58ch] text-lead text-muted">
        Behind every name is someone who wants a good game, like you. These rules apply everywhere on Lineup: in posts,
        messages, names, pictures, reviews and tournaments. If someone breaks one, use{" "}
        <strong className="font-semibold text-text">Report</strong>. A moderator's decision always says which rule it is
        about, and{" "}
        <a className="link" href="/terms#decisions">
          how to appeal
        </a>
        .
      </p>
      <RuleList />
    </div>
  );
}
