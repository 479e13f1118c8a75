import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import bracketStyles from "~/styles/bracket.css";
import chatStyles from "~/styles/chat.css";
import feedbackStyles from "~/styles/feedback.css";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { SiteFooter } from "~/ui/page/site-footer";
import { SiteHeader } from "~/ui/page/site-header";
import "~/shell";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: bracketStyles },
  { rel: "stylesheet", href: chatStyles },
  { rel: "stylesheet", href: feedbackStyles },
];

export const meta: MetaFunction = () => privatePage("Components");

/** Local only: every component of `ui/` in all its states. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.env.LOCAL_TOOLS) notFound(context, request);
  return null;
}

export default function Components() {
  const inert = useInertBehindDialog();
  const [Specimens, setSpecimens] = useState<ComponentType>();
  useEffect(() => {
    import("./specimens.client").then((module) => setSpecimens(() => module.Specimens));
  }, []);
  return (
    <>
      <div {...inert}>
        <SiteHeader />
        <main id="content" className="measure grid gap-x-16 gap-y-7 pb-14 lg:grid-cols-2">
          <div className="pt-7 lg:col-span-2">
            <h1 className="font-display text-title-phone md:text-title">Components</h1>
            <p className="mt-2 text-muted">Every component in each of its states. They are shown by script.</p>
          </div>
          {Specimens && <Specimens />}
        </main>
        <SiteFooter />
      </div>
      <Outlet />
    </>
  );
}
