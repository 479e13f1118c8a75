import { ConversationRow } from "~/features/messages/list/conversation-row";
import { BubbleRun, Separator, Thread, TypingLine } from "~/features/messages/thread/bubbles";
import type { ShownTime } from "~/platform/dates/dates";
import type { ShownMoment } from "~/platform/dates/time";
import { Shown, Specimens } from "./specimen";

const ago = (words: string): ShownMoment => ({
  iso: "2026-11-21T18:53:00.000Z",
  ago: words,
  exact: "21 November 2026, 19:53, Europe/Berlin time",
});

const at = (text: string): ShownTime => ({
  iso: `2026-11-21T${text}:00+01:00`,
  text,
  exact: `21 November 2026, ${text}, Europe/Berlin time`,
});

/** The rows of `chat-1280.png`, and further states. */
export function ConversationRows() {
  return (
    <Specimens name="Conversation row" note="selected, unread (and hovered), a group, in focus, long words">
      <Shown state="hover" target="li:nth-child(2)">
        <Shown state="focus-visible" target="li:nth-child(4) a">
          <ul className="rounded-b-panel border-t-2 border-text bg-sheet">
            <ConversationRow
              to="/dev/components?conversation=1"
              name="Sørina Wójcik"
              letters={["S"]}
              presence="online"
              time={ago("2 minutes ago")}
              preview="You: I’m in. Omen or Clove, your call."
              selected
            />
            <ConversationRow
              to="/dev/components?conversation=2"
              name="Дмитрий Ковалёв"
              letters={["Д"]}
              presence="online"
              time={ago("about 1 hour ago")}
              preview="Warm-up at nine, first game a quarter past. Bring smokes."
              unread={2}
            />
            <ConversationRow
              to="/dev/components?conversation=3"
              name="Ngọc Huyền, Łukasz Żółtowski"
              letters={["N", "Ł"]}
              time={ago("about 3 hours ago")}
              preview="Łukasz: scrim moved to Thursday"
              unread={120}
            />
            <ConversationRow
              to="/dev/components?conversation=4"
              name="Thunder Kitten 9"
              letters={["T"]}
              presence="away"
              time={ago("about 5 hours ago")}
              preview="Haha the bad smokes were art"
            />
            <ConversationRow
              to="/dev/components?conversation=5"
              name="Unknown User"
              letters={["U"]}
              time={ago("3 days ago")}
              preview="See you on the server"
            />
            <ConversationRow
              to="/dev/components?conversation=6"
              name="Wolfeschlegelsteinhausenbergerdorff"
              letters={["W"]}
              presence="online"
              time={ago("less than a minute ago")}
              preview={"Кофе и хедшоты ".repeat(8)}
              unread={1}
            />
          </ul>
        </Shown>
      </Shown>
    </Specimens>
  );
}

/** The runs of `chat-1280.png`, and further states. */
export function Bubbles() {
  return (
    <Specimens name="Bubbles" note="sending, sent, seen, failed; runs, an author, links, who is typing">
      <div className="rounded-b-panel border-t-2 border-text bg-sheet px-4 py-5 md:px-5">
        <Thread label="Conversation with Sørina Wójcik">
          <Separator>Today</Separator>
          <BubbleRun
            own
            author="You"
            messages={[
              {
                id: "1",
                content:
                  "Hi! I saw your LFG post “Calm Controller wanted for the evening climb” and would like to play.",
              },
              { id: "2", content: "Omen main, Platinum 2. Free until 23:00 CET." },
            ]}
            time={at("18:42")}
            state="seen"
          />
          <BubbleRun
            author="Sørina Wójcik"
            messages={[
              { id: "3", content: "Hey! Yes, still open." },
              {
                id: "4",
                content: "I usually play Sova or Fade and take the early calls, you’d have the late round.",
              },
              { id: "5", content: "Two games tonight, starting at 20:30?" },
            ]}
            time={at("18:51")}
          />
          <BubbleRun
            own
            author="You"
            messages={[{ id: "6", content: "I’m in. Omen or Clove, your call." }]}
            time={at("18:53")}
            state="sent"
          />
          <BubbleRun
            author="arlo.exe, Second Site"
            showAuthor
            messages={[
              {
                id: "7",
                content: (
                  <>
                    The rules are at{" "}
                    <a href="/dev/components" className="break-all underline underline-offset-3">
                      lineup.example/tournaments/0193f2ab-7c11-7d2e-b1a4-90d1c8a7f3e5/rules
                    </a>
                  </>
                ),
              },
            ]}
            time={at("18:54")}
          />
          <BubbleRun
            own
            author="You"
            messages={[{ id: "8", content: "Reading them now." }]}
            time={at("18:55")}
            state="sending"
          />
          <BubbleRun
            own
            author="You"
            messages={[{ id: "9", content: "Done. See you there!" }]}
            time={at("18:56")}
            state="failed"
            onRetry={() => undefined}
          />
        </Thread>
        <div className="mt-4">
          <TypingLine name="Sørina" />
        </div>
      </div>
    </Specimens>
  );
}
