import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import { unblock } from "~/features/blocks/actions.server";
import { listBlockedPlayers } from "~/features/blocks/queries.server";
import { initial } from "~/features/players/rules";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { showMoment } from "~/platform/dates/time";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import type { Cursor } from "~/platform/lists/keyset";
import { pageLinks } from "~/platform/lists/keyset.server";
import { privatePage } from "~/platform/pages/page-meta";
import { readSearch, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { Avatar } from "~/ui/avatar";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { useReply } from "~/ui/forms/use-reply";
import { Pages } from "~/ui/pagination";
import { RelativeTime } from "~/ui/relative-time";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const HERE = settingsAddress("blocked");
const LIST = { cursor: { kind: "cursor", by: "number" } } as const;

const cursorOf = (request: Request) => readSearch(LIST, new URL(request.url).searchParams).cursor;

/** Returns the address of a page of the list. */
const addressOf = (cursor: Cursor | null) => HERE + writeSearch(LIST, { cursor });

export const meta: MetaFunction = () => privatePage("Blocked Players");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const cursor = cursorOf(request);
  const userId = await requireClaimedUserId(context, request);
  const [, page, clock] = await Promise.all([
    requireViewer(context, request),
    listBlockedPlayers(context.db, userId, cursor),
    context.clock(),
  ]);
  return {
    pages: pageLinks(request, { cursor, page, addressOf }),
    isFirstPage: page.isFirst,
    players: page.items.map(({ id, name, blockedAt }) => ({
      id,
      name,
      letter: initial(name),
      blocked: showMoment(new Date(blockedAt), clock),
    })),
  };
}

/** Unblocks a player. Returns to the same page of the list. */
export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  const playerId = String((await request.formData()).get("playerId") ?? "").toLowerCase();
  if (!isUuid(playerId)) throw new Response("No such player", { status: 400 });
  return answerButton(args, {
    limit: "block",
    to: addressOf(cursorOf(request)),
    async run({ viewer }) {
      await unblock(context, viewer.id, playerId);
      return { title: "Player unblocked" };
    },
  });
}

export default function BlockedPlayers() {
  const { players, pages, isFirstPage } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const { formData } = useNavigation();
  return (
    <SettingsSection title="Blocked Players">
      <p className="mt-1 text-muted">
        You and a player you block can't message each other or see each other's posts. They aren't notified, but they'll
        see that they can't message you. You can block someone from their page, a post or a message.
      </p>
      {players.length === 0 && (
        <EmptyState title={isFirstPage ? "You haven't blocked anyone." : "That's everyone you've blocked."} />
      )}
      {players.length > 0 && (
        <ul className="mt-5 border-t-2 border-text">
          {players.map(({ id, name, letter, blocked }) => (
            <li key={id} className="group relative flex items-center gap-4 border-b border-line py-3.5 pl-[58px]">
              <Avatar letter={letter} className="absolute! -top-px left-2 group-first:top-0" />
              <div className="min-w-0 flex-1">
                <p id={`player-${id}`} className="font-semibold wrap-anywhere">
                  {name}
                </p>
                <p className="text-meta text-muted">
                  Blocked <RelativeTime moment={blocked} />
                </p>
              </div>
              <Form method="post" preventScrollReset>
                <Button
                  name="playerId"
                  value={id}
                  size="row"
                  busy={formData?.get("playerId") === id}
                  aria-describedby={`player-${id}`}
                >
                  Unblock
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Pages {...pages} by="time" />
    </SettingsSection>
  );
}
