import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { Landing } from "~/features/landing/landing";

export async function loader({ context }: LoaderFunctionArgs) {
  if (await context.viewer()) throw redirect("/dashboard");
  return null;
}

export default function LandingPage() {
  return <Landing />;
}
