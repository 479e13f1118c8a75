import { Form } from "@remix-run/react";
import type { DecisionAction } from "#db/words/decision-actions";
import { RESTRICTION_SCOPES } from "#db/words/restriction-scopes";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { CheckboxField } from "~/ui/forms/choice-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldError, SelectField, TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Link } from "~/ui/link";
import { COMMUNITY_RULES } from "../community-rules";
import { ACTION_WORDS, findsFault, hasEnd, isHard, MAX_REASON, SCOPE_NAMES } from "../rules";
import { TEMPLATES } from "./templates";

/** The decision form: the rule and the reason; for a limit, its scopes; for a limit or a suspension, its end. */
export function DecisionForm({
  reply,
  action,
  seen,
  evidence,
  undoes,
  isPlayerTold,
  ends,
  filled,
  here,
  closeTo,
}: {
  reply: FormReply | undefined;
  action: DecisionAction;
  /** The id of the latest decision that the page showed. */
  seen: string;
  /** The digest of the reports and findings that the page showed. See `digestEvidence`. */
  evidence: string;
  /** The id of the decision that the page names, for `Undo`. */
  undoes: string | undefined;
  /**
   * Whether the player will see the reason. They are told of an undo only if they were told of what it undoes, and of
   * nothing once their account is gone.
   */
  isPlayerTold: boolean;
  /** The ends to choose from, each with its number of days and its wording. */
  ends: readonly { days: number; words: string }[];
  /** The values of the chosen template. */
  filled: { rule: string; reason: string };
  /** The address of the form. */
  here: string;
  /** The page of the case. */
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{
    rule: string;
    reason: string;
    scopes: string[];
    days: string;
    seen: string;
    evidence: string;
  }>({
    id: `decision-${filled.reason.length}`,
    reply,
    defaultValue: { ...filled, seen, evidence },
    labels: {
      rule: "Rule",
      reason: "Reason",
      ...(action === "limit" && { scopes: "What to limit" }),
      ...(hasEnd(action) && { days: "Until" }),
    },
  });
  const kept = reply && [reply.result.initialValue?.scopes ?? []].flat();
  const scopes = props("scopes");
  return (
    <div className="grid gap-5">
      <nav aria-label="Templates" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-meta">
        <span className="font-semibold">Templates</span>
        {TEMPLATES.filter(({ rule }) => (rule === null) !== findsFault(action)).map(({ key, name }) => (
          <Link
            key={key}
            to={`${here}?template=${key}`}
            replace
            preventScrollReset
            className="link touch:inline-flex touch:min-h-11 touch:items-center"
          >
            {name}
          </Link>
        ))}
      </nav>
      <Form method="post" {...formProps} className="grid gap-5">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
        <input type="hidden" name="seen" value={props("seen").defaultValue} />
        <input type="hidden" name="evidence" value={props("evidence").defaultValue} />
        {undoes && <input type="hidden" name="undoes" value={undoes} />}
        <SelectField {...props("rule")} required={findsFault(action)}>
          <option value="">{findsFault(action) ? "Choose a rule" : "No rule broken"}</option>
          {COMMUNITY_RULES.map(({ key, number, title }) => (
            <option key={key} value={key}>
              {number}. {title}
            </option>
          ))}
        </SelectField>
        {action === "limit" && (
          <fieldset id={scopes.id} aria-describedby={scopes.errors.length > 0 ? `${scopes.id}-error` : undefined}>
            <legend className="mb-1.5 text-meta font-semibold">What to limit</legend>
            {RESTRICTION_SCOPES.map((scope) => (
              <CheckboxField
                key={scope}
                id={`scope-${scope}`}
                name="scopes"
                value={scope}
                label={SCOPE_NAMES[scope]}
                defaultChecked={kept?.includes(scope) ?? false}
              />
            ))}
            <FieldError id={scopes.id} errors={scopes.errors} />
          </fieldset>
        )}
        {hasEnd(action) && (
          <SelectField {...props("days")} required>
            <option value="">Choose an end</option>
            {ends.map(({ days, words }) => (
              <option key={days} value={days}>
                {words}
              </option>
            ))}
          </SelectField>
        )}
        <TextAreaField
          {...props("reason")}
          rows={5}
          limit={MAX_REASON}
          required
          hint={isPlayerTold ? "The facts, and why. The player will see it." : "Why. Only moderators see it."}
        />
        <div className="flex flex-wrap items-center justify-end gap-2">
          <ButtonLink to={closeTo} variant="quiet">
            Cancel
          </ButtonLink>
          <Button
            variant={isHard(action) ? "danger-filled" : "primary"}
            busy={busy}
            busyLabel="Deciding"
            className="max-md:flex-1"
          >
            {ACTION_WORDS[action].name}
          </Button>
        </div>
      </Form>
    </div>
  );
}
