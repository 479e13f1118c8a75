import type { ActionFunctionArgs, LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, type ShouldRevalidateFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { useMemo, useState } from "react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { FeedbackSection } from "~/features/feedback/feedback-section";
import { findProvider } from "~/features/identities/providers.server";
import { HiddenNotice } from "~/features/moderation/shared/hidden-notice";
import { ProfileCard } from "~/features/players/page/profile-card";
import { answerProfileForm, clearChoice } from "~/features/players/profile/actions.server";
import { PROFILE_FORM, ProfileForm } from "~/features/players/profile/profile-form";
import {
  CLEAR_AGENTS,
  CLEAR_RANK,
  SAVING_FAILED,
  UPDATE_RIOT_ID,
  VERIFY,
} from "~/features/players/profile/profile-rules";
import { useUnsavedChanges } from "~/features/players/profile/use-unsaved-changes";
import { Verification } from "~/features/players/profile/verification";
import { updateRiotId, verifyRiotAccount } from "~/features/riot/actions.server";
import { VERIFICATION_FAILED } from "~/features/riot/shared/verification-failed";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import profileStyles from "~/styles/profile-page.css";
import { Button } from "~/ui/button";
import { keepUnderDialog, reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { LeaveQuestion } from "~/ui/dialogs/leave-question";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import type { loader } from "./load-profile.server";
import "~/shell";

const HERE = "/dashboard/profile";
const SAVE_BUTTON = "save-profile";
/** The buttons that ask Riot. */
const VERIFYING = [VERIFY, UPDATE_RIOT_ID];

export const links: LinksFunction = () => [{ rel: "stylesheet", href: profileStyles }];

export const meta: MetaFunction = () => privatePage("Profile");

/** If the form is refused because the profile has changed, the page reloads, so that `Discard` shows what is saved. */
export const shouldRevalidate: ShouldRevalidateFunction = (args) =>
  (args.formData?.has("intent") ? keepUnderDialog : reloadIfOutdated)(args);

export { loader } from "./load-profile.server";

export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData();
  const hasSignOn = findProvider(args.context.env, "riot") !== undefined;
  switch (form.get("intent")) {
    case VERIFY:
      return verifyRiotAccount(args, form, hasSignOn);
    case UPDATE_RIOT_ID:
      return updateRiotId(args, form, hasSignOn);
    case CLEAR_AGENTS:
      return clearChoice(args, form, "mainAgents", "Main agents cleared");
    case CLEAR_RANK:
      return clearChoice(args, form, "currentRank", "Rank cleared");
    default:
      return answerProfileForm(args, form);
  }
}

export const clientAction = offlineAction((form) =>
  VERIFYING.includes(String(form.get("intent"))) ? VERIFICATION_FAILED : SAVING_FAILED,
);

export default function ProfileTab() {
  const {
    isHidden,
    values,
    version,
    timeZones,
    hour12,
    account,
    held,
    typed,
    card,
    publicPage,
    takesPictures,
    feedback,
  } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const { formData, formAction } = useNavigation();
  // The query string of the form's address names the shown page of reviews.
  const saving = formAction?.split("?", 1)[0] === HERE && formData !== undefined && !formData.has("intent");
  const inert = useInertBehindDialog();
  const isVerification = VERIFYING.includes(String(reply?.result.initialValue?.intent));
  const [discarded, setDiscarded] = useState<FormReply>();
  const formReply = isVerification || reply === discarded ? undefined : reply;
  const isRiotIdFixed = account !== null;
  const { riotId } = values;
  const editable = useMemo(() => {
    const { riotId: _, ...others } = values;
    return isRiotIdFixed ? others : values;
  }, [values, isRiotIdFixed]);
  /** `saving` in the previous render. */
  const [wasSaving, setWasSaving] = useState(saving);
  if (saving !== wasSaving) setWasSaving(saving);
  const isSaved = wasSaving && !saving && !formReply;
  const unsaved = useUnsavedChanges(PROFILE_FORM, { values: editable, version }, isSaved);
  const { opened, isUnsaved } = unsaved;

  function discard() {
    setDiscarded(reply);
    unsaved.discard();
    // The button that was pressed disappears, so the focus needs another place.
    document.getElementById(SAVE_BUTTON)?.focus();
  }

  return (
    <>
      <div className="contents" {...inert}>
        <DashboardPage
          title="Profile"
          action={
            <div className="flex items-center gap-x-3 max-md:contents">
              <p role="status" className="text-meta font-semibold max-md:self-center">
                {isUnsaved && "Unsaved changes"}
              </p>
              <div className="flex gap-2 max-md:ml-auto">
                {isUnsaved && (
                  <Button type="button" variant="quiet" onClick={discard}>
                    Discard
                  </Button>
                )}
                <Button id={SAVE_BUTTON} form={PROFILE_FORM} variant="primary" busy={saving} busyLabel="Saving">
                  Save Profile
                </Button>
              </div>
            </div>
          }
          lead={
            <ProfileCard {...card} presence="online">
              <p className="mt-2.5 flex flex-wrap gap-x-4 gap-y-1 text-meta">
                <Link to={publicPage} prefetch="intent" className="link profile-link">
                  See how others see you
                </Link>
                {takesPictures && (
                  <Link to={`${HERE}/picture`} preventScrollReset className="link profile-link">
                    {card.picture ? "Change Picture" : "Add Picture"}
                  </Link>
                )}
              </p>
            </ProfileCard>
          }
          aside={
            <>
              <Verification account={account} held={held} typed={typed} reply={isVerification ? reply : undefined} />
              <FeedbackSection feedback={feedback} here={HERE} />
            </>
          }
        >
          {isHidden && (
            <HiddenNotice title="Moderators have hidden what you wrote here." className="mb-7">
              You can write something else.
            </HiddenNotice>
          )}
          <ProfileForm
            // Each round mounts the form again: after `Discard`, or when it takes over newly loaded values.
            key={opened.round}
            reply={formReply}
            values={{ riotId, ...opened.values, ...(isRiotIdFixed && { riotId }) }}
            version={opened.version}
            onDiscard={discard}
            isRiotIdFixed={isRiotIdFixed}
            timeZones={timeZones}
            hour12={hour12}
            onInput={unsaved.compare}
          />
        </DashboardPage>
      </div>
      <LeaveQuestion blocker={unsaved.blocker}>Your profile has unsaved changes.</LeaveQuestion>
      <Outlet />
    </>
  );
}
