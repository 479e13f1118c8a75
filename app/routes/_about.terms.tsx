import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Terms } from "~/features/about/terms";
import { operatorOf } from "~/platform/operator";
import { originOf, publicPage } from "~/platform/pages/public-page";
import "~/shell";

export const meta: MetaFunction = ({ matches }) =>
  publicPage({
    title: "Terms",
    description:
      "What you can expect from Lineup and what we expect from you: age, account, texts, rules, decisions and appeals, tournaments.",
    path: "/terms",
    origin: originOf(matches),
  });

export const loader = ({ context }: LoaderFunctionArgs) => operatorOf(context.env);

export default function TermsPage() {
  return <Terms operator={useLoaderData<typeof loader>()} />;
}
