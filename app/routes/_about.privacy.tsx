import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Privacy } from "~/features/about/privacy";
import { recipientsOf } from "~/features/about/recipients";
import { operatorOf } from "~/platform/operator";
import { originOf, publicPage } from "~/platform/pages/public-page";
import "~/shell";

export const meta: MetaFunction = ({ matches }) =>
  publicPage({
    title: "Privacy",
    description:
      "What Lineup keeps about players and visitors, why and for how long, who gets it, which cookies it sets, and your rights.",
    path: "/privacy",
    origin: originOf(matches),
  });

export const loader = ({ context: { env } }: LoaderFunctionArgs) => ({
  operator: operatorOf(env),
  recipients: recipientsOf(env),
});

export default function PrivacyPage() {
  return <Privacy {...useLoaderData<typeof loader>()} />;
}
