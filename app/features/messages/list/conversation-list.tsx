import { Form, useNavigation } from "@remix-run/react";
import { Button, ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
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
  isFirstPage,
  empty,
  selectedId,
}: ConversationPage & {
  /** The open conversation, which shows no unread count because its messages are being read. */
  selectedId: string | undefined;
}) {
  const { location, state } = useNavigation();
  const busy = state === "loading" && location.pathname === "/dashboard/messages" && location.search !== "";
  if (empty && !search && isFirstPage) {
    return (
      <EmptyState title={empty}>
        <ButtonLink to="/dashboard">Browse posts</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <Form
        key={search}
        method="get"
        action="/dashboard/messages"
        role="search"
        className="conversation-search flex gap-2 border-b border-line py-3"
      >
        <label htmlFor="conversation-search" className="sr-only">
          Search by name
        </label>
        <input
          id="conversation-search"
          type="search"
          name="q"
          defaultValue={search}
          placeholder="Search by name"
          autoComplete="off"
          className="control"
        />
        <Button id="search-conversations" busy={busy} busyLabel="…">
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
            unread={id === selectedId ? 0 : unread}
            selected={id === selectedId}
          />
        ))}
      </ul>
      {empty && (
        <EmptyState title={empty}>
          <ButtonLink to="/dashboard/messages">Show all</ButtonLink>
        </EmptyState>
      )}
      <Pages {...pages} by="time" />
    </>
  );
}
