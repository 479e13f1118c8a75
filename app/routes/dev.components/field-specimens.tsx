import { StarsField } from "~/features/feedback/stars-field";
import { PlayersNeededField } from "~/features/lfg/players-needed-field";
import { RANKS } from "~/game/ranks";
import { ROLES } from "~/game/roles";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextAreaField, TextField } from "~/ui/forms/field";
import { PasswordField } from "~/ui/forms/password-field";
import { RankGlyph, RoleGlyph } from "~/ui/icons";
import { Link } from "~/ui/link";
import { INERT, Shown, Specimens } from "./specimen";

/** As in `components-1280.png`. */
export function Fields() {
  return (
    <Specimens name="Field" note="hint, focus, invalid">
      <div className="grid gap-4 md:grid-cols-[1fr_90px_1fr]">
        <TextField
          id="dev-game-name"
          name="gameName"
          label="Game Name"
          defaultValue="Sørina Wójcik"
          hint="3 to 16 characters."
        />
        <TextField id="dev-tag" name="tag" label="Tag" defaultValue="EUNE" data-show="focus-visible" />
        <TextField
          id="dev-email"
          name="email"
          label="Email"
          type="email"
          defaultValue="sorina@"
          errors={["Enter a full email address."]}
        />
      </div>
    </Specimens>
  );
}

/** Variants that the picture doesn't show. */
export function MoreFields() {
  return (
    <Specimens name="More fields" note="optional, prefix, password, read-only, disabled, invalid in focus, long text">
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField id="dev-discord" name="discord" label="Discord Tag" optional placeholder="miravel.plays" />
        <TextField id="dev-tag-line" name="tagLine" label="Tag Line" prefix="#" defaultValue="EUNE" />
        <PasswordField
          id="dev-password"
          name="password"
          label="Password"
          defaultValue="password123"
          autoComplete="off"
          aside={
            <Link to="/dev/components" className="link">
              Forgot password?
            </Link>
          }
        />
        <PasswordField
          id="dev-password-short"
          name="passwordShort"
          label="New Password"
          defaultValue="short"
          autoComplete="off"
          errors={["Use at least 6 characters."]}
          hint="At least 6 characters."
        />
        <TextField id="dev-riot-id" name="riotId" label="Riot ID" defaultValue="miravel#EUNE" readOnly />
        <TextField id="dev-disabled" name="disabled" label="Prize Pool" defaultValue="160.00" prefix="$" disabled />
        <TextField
          id="dev-title"
          name="title"
          label="Title"
          errors={["Give your post a title."]}
          data-show="focus-visible"
        />
        <TextField
          id="dev-long"
          name="long"
          label="A label that is much longer than the labels of this product and therefore needs two lines"
          optional
          defaultValue="Кофе и хедшоты, Ngọc Huyền, Łukasz Żółtowski und noch viele Wörter mehr"
        />
        <TextAreaField
          id="dev-message"
          name="message"
          label="Message"
          optional
          className="md:col-span-2"
          defaultValue="Swiftplay after work, nothing serious. Turn up on time, bring a mic and one good Ascent story."
        />
        <TextAreaField
          id="dev-message-long"
          name="messageLong"
          label="Message"
          className="md:col-span-2"
          defaultValue="Longer than is allowed."
          errors={["This description is 20 characters too long. The limit is 500."]}
          hint="At most 500 characters."
        />
      </div>
    </Specimens>
  );
}

export function Selects() {
  return (
    <Specimens name="Select" note="glyph beside the value; focus, optional, invalid, disabled">
      <div className="grid items-start gap-4 md:grid-cols-2">
        <SelectField
          id="dev-rank"
          name="rank"
          label="Required Rank"
          defaultValue="Gold 1"
          prefix={<RankGlyph rank="Gold 1" />}
        >
          {RANKS.map((rank) => (
            <option key={rank}>{rank}</option>
          ))}
        </SelectField>
        <SelectField
          id="dev-role"
          name="role"
          label="Required Role"
          defaultValue="Sentinel"
          prefix={<RoleGlyph role="Sentinel" className="size-[18px] text-text" />}
          data-show="focus-visible"
        >
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </SelectField>
        <SelectField id="dev-region" name="region" label="Region" optional>
          <option value="" />
          <option>Europe</option>
        </SelectField>
        <SelectField id="dev-voice" name="voice" label="Voice Comms" errors={["Choose one from the list."]}>
          <option>Any</option>
        </SelectField>
        <SelectField id="dev-closed" name="closed" label="Format" disabled>
          <option>Single elimination</option>
        </SelectField>
        <SelectField id="dev-long-option" name="longOption" label="Host" className="max-w-[200px]">
          <option>ouroboros_kaisa_the_second_of_her_name</option>
        </SelectField>
      </div>
    </Specimens>
  );
}

export function PlayersNeeded() {
  return (
    <Specimens name="Players Needed" note="nothing chosen, hover and focus, one and three chosen, an error">
      <div className="space-y-5">
        <PlayersNeededField id="dev-needed-none" name="neededNone" letter="M" />
        <div>
          <Shown state="hover" target="label:nth-of-type(2)">
            <Shown state="focus-visible" target="[value='3']">
              <PlayersNeededField id="dev-needed-one" name="neededOne" letter="M" defaultValue={1} />
            </Shown>
          </Shown>
        </div>
        <PlayersNeededField id="dev-needed" name="needed" letter="M" defaultValue={3} />
        <PlayersNeededField
          id="dev-needed-error"
          name="neededError"
          letter="Д"
          errors={["Choose how many players you need."]}
        />
      </div>
    </Specimens>
  );
}

export function StarChoice() {
  const words = ["Never again.", "Hard going.", "Fine.", "Good to play with.", "Any time."];
  return (
    <Specimens name="Star choice" note="nothing chosen, focus, three and five stars, an error">
      <div className="grid gap-4 md:grid-cols-2">
        <StarsField id="dev-stars-none" name="starsNone" label="Rating" words={words} />
        <Shown state="focus-visible" target="[value='3']">
          <StarsField id="dev-stars" name="stars" label="Rating" words={words} defaultValue="3" />
        </Shown>
        <StarsField id="dev-stars-all" name="starsAll" label="Rating" words={words} defaultValue="5" />
        <StarsField
          id="dev-stars-error"
          name="starsError"
          label="Rating"
          words={words}
          errors={["Choose one to five stars."]}
        />
      </div>
    </Specimens>
  );
}

/** Inert, with links to fields that don't exist, because a real summary takes the focus when it appears. */
export function ErrorSummaries() {
  return (
    <Specimens name="Error summary" note="one field, several, the whole form">
      <div className="space-y-3" {...INERT}>
        <ErrorSummary
          errors={[{ fieldId: "dev-summary-title", label: "Title", message: "Give your post a title.", missing: true }]}
        />
        <ErrorSummary
          errors={[
            { fieldId: "dev-summary-email", label: "Email", message: "Enter a full email address." },
            { fieldId: "dev-summary-name", label: "Game Name", message: "Riot knows no player of this name." },
          ]}
        />
        <ErrorSummary formErrors={["The email or the password is wrong."]} />
      </div>
    </Specimens>
  );
}
