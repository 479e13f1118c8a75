import type { Toast } from "~/platform/pages/toast";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Notice } from "~/ui/notice";
import { ErrorScene } from "~/ui/page/error-page";
import { Skeleton } from "~/ui/skeleton";
import { ToastCard } from "~/ui/toasts/toaster";
import { INERT, Specimens } from "./specimen";

/** The empty state as `components-1280.png` shows it, and one without an action. */
export function Empty() {
  return (
    <Specimens name="Empty state" note="with and without an action">
      <EmptyState title="No active LFG posts. Be the first to create one!" className="py-0!">
        <ButtonLink to="/dev/components" variant="primary">
          Create Post
        </ButtonLink>
      </EmptyState>
      <EmptyState title="No conversations yet." className="pt-10! pb-0!" />
    </Specimens>
  );
}

/** As in `components-1280.png`. */
export function Skeletons() {
  return (
    <Specimens name="Skeleton" note="a post that is on its way">
      <Skeleton />
    </Specimens>
  );
}

const TOASTS: readonly Toast[] = [
  {
    id: "dev-1",
    kind: "success",
    title: "LFG post created!",
    description: "Your post is now live and other players can see it.",
  },
  { id: "dev-2", kind: "error", title: "Error", description: "Failed to send message. Please try again." },
  { id: "dev-3", kind: "success", title: "Profile updated!" },
  {
    id: "dev-4",
    kind: "error",
    title: `Łódź Night Cup, autumn edition: ${"x".repeat(40)}`,
    description: "Words that are long, and one that is longer than the card, break where they must.",
  },
];

/** The toasts as `components-1280.png` shows them. These stay, while real ones disappear or can be closed. */
export function Toasts() {
  return (
    <Specimens name="Toast" note="success, error; title only, long words">
      <div className="grid items-start gap-3.5 md:grid-cols-2 [&_.toast-card]:w-full" {...INERT}>
        {TOASTS.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onClose={toast.kind === "error" ? () => undefined : undefined} />
        ))}
      </div>
    </Specimens>
  );
}

export function Notices() {
  return (
    <Specimens name="Notice" note="good, danger, neutral">
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

export function ErrorPages() {
  return (
    <Specimens name="Error page">
      <div className="flex border-t-4 border-text">
        <ErrorScene
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
