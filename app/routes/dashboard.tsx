import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { initial } from "~/features/players/rules";
import { requireViewer } from "~/platform/session.server";
import { DashboardHeader } from "~/ui/dashboard-header";
import { SiteFooter } from "~/ui/site-footer";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { name, email, verified } = await requireViewer(context, request);
  return { name, letter: initial(email).toUpperCase(), verified };
}

export default function Dashboard() {
  const { name, letter, verified } = useLoaderData<typeof loader>();
  return (
    <div className="flex min-h-dvh flex-col">
      <DashboardHeader name={name} letter={letter} verified={verified} />
      <Outlet />
      <SiteFooter />
    </div>
  );
}
