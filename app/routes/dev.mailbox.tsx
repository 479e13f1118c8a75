import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { showMoment } from "~/platform/dates/time";
import { listEmails } from "~/platform/email/queries.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { EmptyState } from "~/ui/empty-state";
import { SiteHeader } from "~/ui/page/site-header";
import { RelativeTime } from "~/ui/relative-time";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Mailbox");

/** Local only: the emails that would have been sent, newest first. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.env.LOCAL_TOOLS) notFound(context, request);
  const [emails, clock] = await Promise.all([listEmails(context), context.clock()]);
  return emails.map(({ id, recipient, subject, body, html, createdAt, sentAt, lastError }) => ({
    id,
    recipient,
    subject,
    html: html && inFrame(html),
    lines: (body ?? (sentAt ? "Handed to the email provider." : `Given up. ${lastError}.`)).split("\n"),
    created: showMoment(createdAt, clock),
  }));
}

/** Makes an email's links leave the frame that shows it. */
const inFrame = (html: string) => html.replace("<head>", '<head><base target="_top">');

export default function Mailbox() {
  const emails = useLoaderData<typeof loader>();
  return (
    <>
      <SiteHeader />
      <main id="content" className="measure pb-14">
        <h1 className="pt-7 pb-2 font-display text-title-phone md:text-title">Mailbox</h1>
        <p className="pb-5 text-muted">Emails that this local Lineup would have sent.</p>
        {emails.length === 0 && <EmptyState title="No emails yet." />}
        <ul>
          {emails.map((email) => (
            <li key={email.id} className="border-t border-line py-5">
              <h2 className="text-post font-semibold">{email.subject}</h2>
              <p className="text-meta wrap-anywhere text-muted">
                To {email.recipient}, <RelativeTime moment={email.created} />
              </p>
              <div className="mt-3 grid gap-x-10 gap-y-5 lg:grid-cols-[minmax(0,660px)_minmax(0,1fr)]">
                {/* No script, no forms, none of our cookies; links work when the reader clicks them. */}
                {email.html && (
                  <iframe
                    srcDoc={email.html}
                    title={`${email.subject}, as HTML`}
                    sandbox="allow-top-navigation-by-user-activation"
                    className="h-[620px] w-full border border-line"
                  />
                )}
                <div className="wrap-anywhere">
                  {email.lines.map((line, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one email never change
                    <p key={index} className="min-h-[1lh]">
                      {/^https?:\/\/\S+$/.test(line) ? (
                        <a href={line} className="text-spot-text underline underline-offset-3">
                          {line}
                        </a>
                      ) : (
                        line
                      )}
                    </p>
                  ))}
                </div>
              </div>
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}
