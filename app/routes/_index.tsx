import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { Landing } from "~/features/landing/landing";
import { originOf, publicPage } from "~/platform/pages/public-page";
import landingStyles from "~/styles/landing.css";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: landingStyles }];

export const meta: MetaFunction = ({ matches }) =>
  publicPage({
    title: "Lineup: find your fifth",
    description:
      "Find teammates for VALORANT: a duo, a trio or a full five, by rank, role, region and the way you like to play.",
    path: "/",
    origin: originOf(matches),
  });

/**
 * The page has only links, pictures and one plain form: without the 100 kB of script, the first paint comes a second
 * earlier on a phone (docs/decisions/0011-first-load.md). The script loads with the next page.
 */
export const handle = { withoutScript: true };

export async function loader({ context }: LoaderFunctionArgs) {
  if (await context.viewer()) throw redirect("/dashboard");
  return null;
}

export default function LandingPage() {
  return <Landing />;
}
