import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { requireViewer } from "~/platform/session.server";
import { DashboardHeader } from "~/ui/dashboard-header";
import { keepUnderDialog } from "~/ui/dialogs";
import { useInertBehindDialog } from "~/ui/route-dialog";
import { SiteFooter } from "~/ui/site-footer";

export const shouldRevalidate = keepUnderDialog;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { name, letter, verified } = await requireViewer(context, request);
  return { name, letter, verified };
}

export default function Dashboard() {
  const { name, letter, verified } = useLoaderData<typeof loader>();
  const inert = useInertBehindDialog();
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="contents" {...inert}>
        <DashboardHeader name={name} letter={letter} verified={verified} />
      </div>
      <Outlet />
      <div className="contents" {...inert}>
        <SiteFooter />
      </div>
    </div>
  );
}
