import { Form, useNavigation } from "@remix-run/react";
import { Button, ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { useSearchKey } from "~/ui/forms/use-search-key";
import { Pages } from "~/ui/pagination";
import { ConversationRow } from "./conversation-row";
import type { ConversationPage } from "./list.server";

/**
 * The list of conversations, the one with the latest message first. It is shown beside a thread, or alone on phones.
 */
export function ConversationList({
  conversations,
  search,
  query,
  pages,
  empty,
  selectedId,
  isOlderPage,
}: ConversationPage & {
  /** The open conversation. */
  selectedId: string | undefined;
  /** Whether older messages of it are shown. Otherwise it has no unread count, because its newest are being read. */
  isOlderPage: boolean;
}) {
  const key = useSearchKey(search);
  const busy = useNavigation().formData?.has("q");
  const none = empty && (
    <EmptyState title={empty.title}>
      <ButtonLink to={empty.to}>{empty.link}</ButtonLink>
    </EmptyState>
  );
  // Without any conversations, there is nothing to search.
  if (empty?.to === "/dashboard") return none;
  return (
    <>
      <Form
        key={key}
        method="get"
        action="/dashboard/messages"
        state
        role="search"
        className="conversation-search flex gap-2 border-b border-line py-3"
      >
        <input
          id="conversation-search"
          type="search"
          name="q"
          defaultValue={search}
          aria-label="Search by name"
          placeholder="Search by name"
          autoComplete="off"
          className="control"
        />
        <Button busy={busy} busyLabel="…">
          Search
        </Button>
      </Form>
      <ul>
        {conversations.map(({ id, name, letters, picture, presence, time, preview, unread }) => (
          <ConversationRow
            key={id}
            to={`/dashboard/messages/${id}${query}`}
            name={name}
            letters={letters}
            picture={picture}
            presence={presence === "offline" ? "none" : presence}
            time={time}
            preview={preview}
            unread={id !== selectedId || isOlderPage ? unread : 0}
            selected={id === selectedId}
          />
        ))}
      </ul>
      {none}
      <Pages {...pages} by="time" />
    </>
  );
}
