import { threadEvent } from "~/features/messages/rules";
import { Composer } from "~/features/messages/shared/composer";
import { Connection } from "~/features/messages/shared/connection";
import { ThreadLog } from "~/features/messages/shared/thread-log";
import { type ThreadPage, useLiveThread } from "~/features/messages/shared/use-live-thread";
import type { FormReply } from "~/platform/forms/forms";
import type { MatchView } from "./present-match.server";

/** The chat of a match, beside it: both teams write here, and organisers who have joined it. */
export function MatchChat({
  page,
  here,
  match,
  reply,
}: {
  page: ThreadPage;
  /** The match's page. */
  here: string;
  match: Pick<MatchView, "teams" | "log">;
  reply: FormReply | undefined;
}) {
  const live = useLiveThread(page, true);
  const { viewerId, head } = page;
  const members = head.party?.members ?? [];
  const teamOf = new Map<string | null, string>(
    match.teams.flatMap(({ name, players, substitutes }) => [...players, ...substitutes].map(({ id }) => [id, name])),
  );
  const events = match.log.map(({ id, words, time }) => threadEvent(id, words, Date.parse(time.iso)));
  return (
    <section aria-labelledby="match-chat" className="match-chat">
      <header className="flex items-start justify-between gap-4 border-b border-line px-[18px] pt-3.5 pb-3">
        <div className="min-w-0">
          <h2 id="match-chat" className="font-display text-section">
            Match chat
          </h2>
          <p className="text-meta text-muted">Both teams and the organisers read this.</p>
        </div>
        <Connection state={live.connection} />
      </header>
      <ThreadLog
        page={page}
        live={live}
        here={here}
        empty="No messages yet. Agree on the lobby, sides and maps here."
        events={events}
        // Only players and organisers are members. A player who has left their team isn't one any more.
        describe={(senderId) =>
          teamOf.get(senderId) ?? (members.some(({ id }) => id === senderId) ? "organiser" : null)
        }
      />
      <Composer
        conversationId={head.id}
        viewerId={viewerId}
        nextId={page.nextId}
        here={here}
        variant="secondary"
        reply={reply}
        onSend={live.send}
        onType={live.sendTyping}
      />
    </section>
  );
}
