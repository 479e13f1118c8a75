import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Imprint } from "~/features/about/imprint";
import { operatorOf } from "~/platform/operator";
import { originOf, publicPage } from "~/platform/pages/public-page";
import "~/shell";

export const meta: MetaFunction = ({ matches }) =>
  publicPage({
    title: "Imprint",
    description: "Who runs this site: name, postal address and email address of the operator of Lineup.",
    path: "/imprint",
    origin: originOf(matches),
  });

export const loader = ({ context }: LoaderFunctionArgs) => operatorOf(context.env);

export default function ImprintPage() {
  return <Imprint operator={useLoaderData<typeof loader>()} />;
}
