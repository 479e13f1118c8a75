import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Contact } from "~/features/about/contact";
import { operatorOf } from "~/platform/operator";
import { originOf, publicPage } from "~/platform/pages/public-page";
import "~/shell";

export const meta: MetaFunction = ({ matches }) =>
  publicPage({
    title: "Contact",
    description:
      "How to reach the people behind Lineup: help, reports, illegal content, your data, decisions about you, security.",
    path: "/contact",
    origin: originOf(matches),
  });

export const loader = ({ context }: LoaderFunctionArgs) => operatorOf(context.env);

export default function ContactPage() {
  return <Contact operator={useLoaderData<typeof loader>()} />;
}
