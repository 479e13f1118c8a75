import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { SETTINGS, settingsAddress } from "~/features/settings/subjects";
import { privatePage } from "~/platform/page-meta";
import { requireViewer } from "~/platform/session.server";

export const meta: MetaFunction = () => privatePage("Settings");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(context, request);
  return null;
}

export default function SettingsIndex() {
  return (
    <ul className="max-w-[620px] border-t-2 border-text">
      {SETTINGS.map(({ word, name, sentence }) => (
        <li key={word} className="relative isolate border-b border-line py-3.5 hover:bg-raised md:px-3.5">
          <Link
            to={settingsAddress(word)}
            prefetch="intent"
            aria-describedby={`about-${word}`}
            className="text-post font-semibold after:absolute after:inset-0 after:-z-1 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-spot-edge"
          >
            {name}
          </Link>
          <p id={`about-${word}`} className="text-muted">
            {sentence}
          </p>
        </li>
      ))}
    </ul>
  );
}
