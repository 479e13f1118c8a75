import { Form, useNavigation } from "@remix-run/react";
import type { ShownMoment } from "~/platform/dates/time";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { RelativeTime } from "~/ui/relative-time";

/** A session in the list. */
interface SessionView {
  id: string;
  /** "Chrome on Windows" */
  device: string;
  /** "Berlin, DE"; null if unknown. */
  place: string | null;
  lastSeenAt: ShownMoment;
  signedInAt: ShownMoment;
}

/** The viewer's sessions, this browser's first, with buttons to end one or several of them. */
export function SessionList({
  own,
  others,
  hasMore,
}: {
  own: SessionView | null;
  others: readonly SessionView[];
  hasMore: boolean;
}) {
  const { formData } = useNavigation();
  const scope = formData?.get("scope");
  return (
    <>
      <ul className="mt-5 border-t border-line">
        {own && <Session {...own} isOwn busy={scope === "local"} />}
        {others.map((session) => (
          <Session key={session.id} {...session} busy={formData?.get("session") === session.id} />
        ))}
      </ul>
      {hasMore && <p className="mt-3 text-meta text-muted">There are older sessions, too. Sign them all out below.</p>}
      <Form method="post" action="/auth/sign-out" className="mt-6 flex flex-wrap gap-2">
        {others.length > 0 && (
          <Button name="scope" value="others" busy={scope === "others"} busyLabel="Signing out">
            Sign Out Other Devices
          </Button>
        )}
        <Button name="scope" value="global" variant="danger" busy={scope === "global"} busyLabel="Signing out">
          Sign Out Everywhere
        </Button>
      </Form>
      <p className="mt-3 text-meta text-muted">
        {others.length > 0 ? "Both also forget" : "This also forgets"} the devices remembered for two-factor
        {others.length > 0 && ". The first button doesn't forget this device"}.
      </p>
    </>
  );
}

function Session({
  id,
  device,
  place,
  lastSeenAt,
  signedInAt,
  isOwn = false,
  busy,
}: SessionView & { isOwn?: boolean; busy: boolean }) {
  return (
    <li className="flex items-start gap-4 border-b border-line py-3.5">
      <div className="min-w-0 flex-1">
        <p id={`session-${id}`} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          {device}
          {isOwn && <Badge>This device</Badge>}
        </p>
        <p className="text-meta text-muted">
          {isOwn ? (
            "In use now"
          ) : (
            <>
              Last seen <RelativeTime moment={lastSeenAt} />
            </>
          )}
        </p>
        <p className="text-meta text-muted">
          Signed in <RelativeTime moment={signedInAt} />
          {place && (
            <>
              {" · "}
              <span className="inline-block">{place}</span>
            </>
          )}
        </p>
      </div>
      {/* This browser's own session ends through the same action as with the header's `Sign Out`. */}
      <Form method="post" action={isOwn ? "/auth/sign-out" : undefined} preventScrollReset>
        <Button
          name={isOwn ? "scope" : "session"}
          value={isOwn ? "local" : id}
          size="row"
          busy={busy}
          busyLabel="Signing out"
          aria-describedby={`session-${id}`}
        >
          Sign Out
        </Button>
      </Form>
    </li>
  );
}
