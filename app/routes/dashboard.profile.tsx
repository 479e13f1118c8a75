import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { data } from "@remix-run/cloudflare";
import { Outlet, type ShouldRevalidateFunction, useLoaderData, useNavigation } from "@remix-run/react";
import { useMemo, useState } from "react";
import * as z from "zod";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { FeedbackSection } from "~/features/feedback/feedback-section";
import { presentFeedback } from "~/features/feedback/present.server";
import { countRatings, listReviews } from "~/features/feedback/queries.server";
import { REVIEW_LIST } from "~/features/feedback/rules";
import { isReservedRiotId } from "~/features/flags/shared/reserved-names.server";
import { findProvider } from "~/features/identities/providers.server";
import { LINKED_ACCOUNTS } from "~/features/identities/rules";
import { HiddenNotice } from "~/features/moderation/shared/hidden-notice";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { saveProfile } from "~/features/players/commands.server";
import { ProfileCard } from "~/features/players/page/profile-card";
import { PROFILE_FORM, ProfileForm } from "~/features/players/profile/profile-form";
import { CLEAR_AGENTS, CLEAR_RANK, CLEARED, UPDATE_RIOT_ID, VERIFY } from "~/features/players/profile/profile-rules";
import { profileSchema } from "~/features/players/profile/profile-schema";
import { listTimeZones, profileValues, profileVersion } from "~/features/players/profile/profile-values";
import { useUnsavedChanges } from "~/features/players/profile/use-unsaved-changes";
import { Verification } from "~/features/players/profile/verification";
import { findProfile } from "~/features/players/queries.server";
import { displayName, initial } from "~/features/players/rules";
import { findHiddenTags, isPlayerHidden } from "~/features/players/shared/hide-player.server";
import { linkOrRefuse } from "~/features/riot/actions.server";
import { lookUpRiotAccount, readRiotAccount } from "~/features/riot/client.server";
import { RIOT_LOOKUP_LIMITS } from "~/features/riot/limits.server";
import { findHeldSignupAccount } from "~/features/riot/queries.server";
import { verifiedAccount, verifiedMark } from "~/features/riot/rules";
import { riotAccountSchema } from "~/features/riot/schema";
import { VERIFICATION_REGION_LABELS } from "~/game/regions";
import { showMoment } from "~/platform/dates/time";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { privatePage } from "~/platform/pages/page-meta";
import type { Toast } from "~/platform/pages/toast";
import { readSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/session.server";
import profileStyles from "~/styles/profile-page.css";
import { Button } from "~/ui/button";
import { keepUnderDialog, reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { LeaveQuestion } from "~/ui/dialogs/leave-question";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import "~/shell";

const HERE = "/dashboard/profile";
const SAVE_BUTTON = "save-profile";
const FAILED = "Error updating profile";
const VERIFICATION_FAILED = "Verification failed";
/** The buttons that ask Riot. */
const VERIFYING = [VERIFY, UPDATE_RIOT_ID];
const CHANGED =
  "Your profile has changed elsewhere since you opened this page. Your entries are still here: save again to replace what's saved.";
const SEE_SAVED = { to: HERE, label: "Discard my entries and see what's saved" };
const RESERVED_RIOT_ID =
  "This Riot ID could be mistaken for Lineup itself. If it's yours, verify it below. Otherwise leave it empty.";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: profileStyles }];

export const meta: MetaFunction = () => privatePage("Profile");

/** If the form is refused because the profile has changed, the page reloads, so that `Discard` shows what is saved. */
export const shouldRevalidate: ShouldRevalidateFunction = (args) =>
  (args.formData?.has("intent") ? keepUnderDialog : reloadIfOutdated)(args);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const { cursor } = readSearch(REVIEW_LIST, new URL(request.url).searchParams);
  const [, news, profile, held, isHidden, page, ratings, clock] = await Promise.all([
    requireViewer(context, request),
    findUnreadNews(context.db, userId, subjectOf("riot", userId), subjectOf("feedback", userId)),
    findProfile(context.db, userId),
    findHeldSignupAccount(context.db, userId),
    isPlayerHidden(context.db, userId),
    listReviews(context.db, userId, cursor),
    countRatings(context.db, userId),
    context.clock(),
  ]);
  const list = "/dashboard/profile";
  redirectToFirstPage(request, { cursor, page, list, first: `${list}#feedback` });
  resolveNewsLater(context, userId, news);
  const { riotId = null, riotGameName = null, riotTagLine = null, riotVerifiedAt, lastRankSync } = profile ?? {};
  const name = displayName({ userId, riotGameName, riotId });
  const values = profileValues(profile, context.zones.browser);
  return {
    isHidden,
    values,
    version: profileVersion(profile),
    timeZones: listTimeZones(values.timeZone),
    hour12: clock.hour12,
    account: riotVerifiedAt
      ? {
          riotId: riotId ?? name,
          region: profile?.riotRegion ? VERIFICATION_REGION_LABELS[profile.riotRegion] : null,
          mark: verifiedMark({ verified: true, riotProven: profile?.riotProvenAt != null }),
          at: showMoment(lastRankSync ?? riotVerifiedAt, clock),
          hasSync: lastRankSync != null,
        }
      : null,
    held: held ? { riotId: held.riotId, signOn: findProvider(context.env, "riot") ? LINKED_ACCOUNTS : null } : null,
    typed: { gameName: riotGameName ?? "", tagLine: riotTagLine ?? "", region: profile?.riotRegion ?? "americas" },
    card: {
      name,
      letter: initial(name),
      picture: profile?.avatarId ?? null,
      riotId,
      rank: profile?.currentRank ?? null,
      role: profile?.preferredRole ?? null,
    },
    publicPage: `/players/${userId}`,
    takesPictures: context.env.AVATARS !== undefined,
    feedback: presentFeedback({ page, ratings }, profile, { playerId: userId, viewerId: userId }, clock),
  };
}

export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case VERIFY:
      return verify(args, form);
    case UPDATE_RIOT_ID:
      return updateRiotId(args, form);
    case CLEAR_AGENTS:
      return clear(args, form, "mainAgents", "Main agents cleared");
    case CLEAR_RANK:
      return clear(args, form, "currentRank", "Rank cleared");
    default:
      return save(args, form);
  }
}

const save = (args: ActionFunctionArgs, form: FormData) =>
  answerForm(args, {
    schema: profileSchema.extend({ version: z.string().optional() }),
    form,
    failed: FAILED,
    limit: "profile",
    alongside: (userId) => findHiddenTags(args.context.db, userId),
    async run({ value: { version, ...fields }, viewer, found: hiddenTags }) {
      // The form submits a verified Riot ID as well; it is Riot's and stays.
      if (!viewer.verified && fields.riotId && isReservedRiotId(fields.riotId)) {
        return { status: 400, error: RESERVED_RIOT_ID, field: "riotId" };
      }
      const newer = await saveProfile(args.context, viewer.id, fields, version, hiddenTags);
      if (newer) return { status: 409, error: CHANGED, renewed: { version: newer }, next: SEE_SAVED };
      return { to: HERE, title: "Profile updated!", description: "Your profile has been saved successfully." };
    },
  });

/** Without script: shows the page again with the entered values except one choice, and saves nothing. */
const clear = (args: ActionFunctionArgs, form: FormData, name: string, title: string) =>
  answerButton(args, {
    async run() {
      form.delete(name);
      const { initialValue } = parseWithZod(form, { schema: profileSchema }).reply();
      const toast: Toast = { id: args.context.requestId, kind: "success", title, description: CLEARED };
      args.context.toast = toast;
      return data({ result: { ...(initialValue && { initialValue }) }, toast } satisfies FormReply);
    },
  });

function verify(args: ActionFunctionArgs, form: FormData) {
  const { context } = args;
  const hasSignOn = findProvider(context.env, "riot") !== undefined;
  return answerForm(args, {
    schema: riotAccountSchema,
    form,
    failed: VERIFICATION_FAILED,
    limit: RIOT_LOOKUP_LIMITS,
    async run({ value, viewer }) {
      const found = await lookUpRiotAccount(context, value);
      if (!found.ok) return { ...found, field: found.status === 400 || found.status === 404 ? "gameName" : undefined };
      const refusal = await linkOrRefuse(context, viewer.id, found.account, hasSignOn);
      if (refusal) return { ...refusal, field: "gameName" };
      const description = "Your account has been linked and rank synced.";
      return { to: HERE, title: "Riot account verified!", description };
    },
  });
}

/** Asks Riot for the current name of the player's verified account: its PUUID stays, its name may change. */
function updateRiotId(args: ActionFunctionArgs, form: FormData) {
  const { context } = args;
  const { db, env } = context;
  return answerForm(args, {
    schema: z.object({ intent: z.string() }),
    form,
    failed: VERIFICATION_FAILED,
    limit: RIOT_LOOKUP_LIMITS,
    alongside: (userId) => findProfile(db, userId),
    async run({ viewer, found: profile }) {
      const known = verifiedAccount(profile);
      if (!known) {
        return { status: 409, error: "Your profile isn't verified any more. Verify your Riot account again." };
      }
      const read = await readRiotAccount(context, known);
      if (!read.ok) return read;
      const { account } = read;
      const refusal = await linkOrRefuse(context, viewer.id, account, findProvider(env, "riot") !== undefined);
      if (refusal) return refusal;
      const riotId = `${account.gameName}#${account.tagLine}`;
      return riotId === `${known.gameName}#${known.tagLine}`
        ? { to: HERE, title: "Your Riot ID is up to date", description: `Riot still knows you as ${riotId}.` }
        : { to: HERE, title: "Riot ID updated!", description: `Players now see you as ${riotId}.` };
    },
  });
}

export const clientAction = offlineAction((form) =>
  VERIFYING.includes(String(form.get("intent"))) ? VERIFICATION_FAILED : FAILED,
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
  // The form's address names the shown page of reviews.
  const saving = formAction?.split("?", 1)[0] === HERE && formData !== undefined && !formData.has("intent");
  const inert = useInertBehindDialog();
  const isVerification = VERIFYING.includes(String(reply?.result.initialValue?.intent));
  const [discarded, setDiscarded] = useState<FormReply>();
  const formReply = isVerification || reply === discarded ? undefined : reply;
  const isRiotIdFixed = account !== null;
  const { riotId, ...saved } = values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `saved` is made of `values`
  const editable = useMemo(() => (isRiotIdFixed ? saved : values), [values, isRiotIdFixed]);
  /** `saving` in the previous render. */
  const [wasSaving, setWasSaving] = useState(saving);
  if (saving !== wasSaving) setWasSaving(saving);
  const isSaved = wasSaving && !saving && !formReply;
  const unsaved = useUnsavedChanges(PROFILE_FORM, { values: editable, version }, isSaved);
  const { opened, isUnsaved } = unsaved;

  function discard() {
    setDiscarded(reply);
    unsaved.discard();
    // The pressed button disappears.
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
            // If the saved values differ from the typed ones, the form is mounted again.
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
