import { Link } from "@remix-run/react";
import { BusyBars, Button, ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { ErrorPage } from "~/ui/error-page";
import { TextField } from "~/ui/field";
import { CheckIcon, CloseIcon, WarningIcon } from "~/ui/icons";
import { Notice } from "~/ui/notice";
import { NextPageLink } from "~/ui/pagination";
import { Skeleton } from "~/ui/skeleton";
import { StepIndicator } from "~/ui/step-indicator";
import { Specimens } from "./specimen";

/** As in `components-1280.png`. */
export function Empty() {
  return (
    <Specimens title="Empty state">
      <EmptyState title="No active LFG posts. Be the first to create one!" className="py-0!">
        <ButtonLink to="/dev/components" variant="primary">
          Create Post
        </ButtonLink>
      </EmptyState>
    </Specimens>
  );
}

/** As in `components-1280.png`. */
export function Skeletons() {
  return (
    <Specimens title="Skeleton">
      <Skeleton />
    </Specimens>
  );
}

/** As in `components-1280.png`; standing still, since a real toast leaves. */
export function Toasts() {
  return (
    <Specimens title="Toasts">
      <div className="grid gap-3.5 md:grid-cols-2">
        <div data-kind="success" className="toast-card w-full!">
          <CheckIcon className="mt-0.5 size-[18px] text-good" />
          <div>
            <p className="text-body font-semibold">LFG post created!</p>
            <p className="text-meta text-muted">Your post is now live and other players can see it.</p>
          </div>
        </div>
        <div data-kind="error" className="toast-card w-full!">
          <WarningIcon className="mt-0.5 size-[18px] text-danger" />
          <div>
            <p className="text-body font-semibold">Error</p>
            <p className="text-meta text-muted">Failed to send message. Please try again.</p>
          </div>
          <CloseIcon className="size-[18px] text-muted" />
        </div>
      </div>
    </Specimens>
  );
}

export function Notices() {
  return (
    <Specimens title="Notices">
      <div className="space-y-4">
        <Notice variant="good" title="Account Verified!">
          We found this account at Riot. Your rank is what you say it is.
        </Notice>
        <Notice variant="danger" title="This post has closed">
          Its author may open another one.
        </Notice>
        <Notice title="Parties of four can't queue Competitive; other modes are fine." />
      </div>
    </Specimens>
  );
}

export function Steps() {
  return (
    <Specimens title="Steps: the first, the second, done">
      <div className="space-y-5">
        <StepIndicator step={1} />
        <StepIndicator step={2} />
        <StepIndicator step={2} verified />
      </div>
    </Specimens>
  );
}

/** What `NavigationProgress` shows after 300 ms, standing still. */
export function LoadingAndPages() {
  return (
    <Specimens title="A navigation that waits, and the way to the next page">
      <div className="flex flex-wrap items-center gap-x-10">
        <div className="flex items-center gap-2.5 rounded-b-panel border-t-4 border-spot-edge bg-overlay px-4 py-2 text-meta font-semibold shadow-float">
          <BusyBars />
          Loading...
        </div>
        <NextPageLink to="/dev/components" />
      </div>
    </Specimens>
  );
}

/** A dialog's look without its manners: a real one is modal (`RouteDialog`). */
export function Dialogs() {
  return (
    <Specimens title="Dialog: hangs from the window's top; on phones a page">
      <div className="route-dialog static h-auto max-h-none w-full max-w-[620px] overflow-visible shadow-float!">
        <div className="mb-4 flex items-center justify-between gap-4">
          <h3 className="min-w-0 font-display text-title-phone wrap-anywhere md:text-title">Contact Sørina</h3>
          <Link
            to="/dev/components"
            aria-label="Close"
            className="-my-2 -mr-3 grid size-11 flex-none place-items-center rounded-control text-muted hover:bg-raised hover:text-text"
          >
            <CloseIcon className="size-[22px]" />
          </Link>
        </div>
        <TextField
          id="dev-dialog-message"
          name="dialogMessage"
          label="Message"
          defaultValue="Hi! I saw your LFG post and would like to play."
        />
        <div className="mt-6 flex justify-end gap-2">
          <Button type="button" variant="quiet">
            Cancel
          </Button>
          <Button type="button" variant="primary">
            Send Message
          </Button>
        </div>
      </div>
    </Specimens>
  );
}

export function ErrorPages() {
  return (
    <Specimens title="Error page">
      <div className="flex border-t-4 border-text">
        <ErrorPage
          bare
          title="Oops! Page not found"
          text="No banner hangs from this line. The post may have closed, or the address has a typo."
          action={
            <ButtonLink to="/" variant="primary" size="landing">
              Return to Home
            </ButtonLink>
          }
        />
      </div>
    </Specimens>
  );
}
