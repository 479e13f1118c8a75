import type { Channel, NewsGroup } from "#db/words/news-groups";
import { Link } from "~/ui/link";
import { GROUP_WORDS, type Switches } from "./switches";

const CHANNEL_WORDS: Record<Channel, string> = { bell: "Bell", push: "Push", email: "Email" };

/**
 * The table of notification switches: a checkbox for each group and channel. Its last row lists the news that can't be
 * turned off.
 * @param props.channels the columns; a site without push keys has no push column
 */
export function SwitchTable({
  switches,
  channels,
  canEmail,
}: {
  switches: Switches;
  channels: readonly Channel[];
  /** Whether the player's address is confirmed. */
  canEmail: boolean;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-meta font-semibold">Where we notify you</legend>
      <table className="switches">
        <thead>
          <tr>
            <td />
            {channels.map((channel) => (
              <th key={channel} scope="col" id={`channel-${channel}`}>
                {CHANNEL_WORDS[channel]}
                {/* The form lists its columns, because unticked boxes send nothing. */}
                <input type="hidden" name="channels" value={channel} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.keys(switches) as NewsGroup[]).map((group) => (
            <tr key={group}>
              <th scope="row">
                <span id={`group-${group}`}>{GROUP_WORDS[group].name}</span>
                <p id={`group-${group}-hint`}>{GROUP_WORDS[group].sentence}</p>
              </th>
              {channels.map((channel) => (
                <td key={channel}>
                  <label>
                    <input
                      type="checkbox"
                      name={channel}
                      value={group}
                      aria-labelledby={`group-${group} channel-${channel}`}
                      aria-describedby={`group-${group}-hint`}
                      defaultChecked={switches[group][channel]}
                      className="checkbox"
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">
              Security and decisions
              <p>Sign-in codes, changes to your account, and what moderators decide about you.</p>
            </th>
            {channels.map((channel) => (
              <td key={channel}>{channel === "email" ? "Always on" : <span aria-hidden="true">–</span>}</td>
            ))}
          </tr>
        </tbody>
      </table>
      <p className="mt-3 text-meta text-muted">
        {channels.includes("push") ? "Push and email carry" : "Email carries"} only what the bell has. Unread news comes
        after 30 minutes, all in one email, and at most once a day while you're away.
      </p>
      {!canEmail && (
        <p className="mt-2 text-meta">
          <Link to="/auth/confirm" className="link">
            Confirm your email
          </Link>{" "}
          to get these emails.
        </p>
      )}
    </fieldset>
  );
}
