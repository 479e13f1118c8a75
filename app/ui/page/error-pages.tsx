import { useLocation, useRouteError } from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { statusOf } from "~/platform/pages/page-meta";
import { ButtonLink } from "../button";
import { ErrorPage } from "./error-page";
import { KeptFormContext, type Problem } from "./request-contexts";

/**
 * Returns the text for the error that a boundary has caught, and the player's options.
 * @param isWhole whether the error takes up the whole page, in which case its links must reload the document
 */
function useProblem(isWhole: boolean): Problem {
  const status = statusOf(useRouteError());
  const keptForm = useContext(KeptFormContext);
  const { pathname, search } = useLocation();
  const size = isWhole ? "landing" : "normal";
  if (keptForm) return keptForm(size);
  const home = { to: "/", size, children: "Return to Home" } as const;
  const tryAgain = (
    <ButtonLink to={pathname + search} variant="primary" size={size} reloadDocument={isWhole}>
      Try Again
    </ButtonLink>
  );
  switch (status) {
    case 404:
      return {
        title: "Oops! Page not found",
        text: "No banner hangs from this line. The post may have closed, or the address has a typo.",
        action: <ButtonLink {...home} variant="primary" />,
      };
    case 503:
      return {
        title: "Back in a moment",
        text: "Lineup can't reach its database right now. Your data is safe. Try again in a moment.",
        action: tryAgain,
      };
    case 500:
      return {
        title: "Something went wrong",
        text: "That was our mistake, not yours. We've logged it. Please try again in a moment.",
        action: (
          <>
            {tryAgain}
            {isWhole && <ButtonLink {...home} reloadDocument />}
          </>
        ),
      };
    // Our own pages never send a request that ends here, such as one for a button that doesn't exist.
    default:
      return {
        title: "That can't be done here",
        text: "This page can't take what was sent to it, so nothing was changed.",
        action: <ButtonLink {...home} variant="primary" reloadDocument />,
      };
  }
}

/** The page of an error outside any frame. `header` is the viewer's header if they are signed in. */
export const WholeError = ({ header }: { header: ReactNode }) => <ErrorPage header={header} {...useProblem(true)} />;

/**
 * Replaces the part of a page that failed; the frame around it stays. `as` is the heading's level: `h1` if the page has
 * no other title.
 */
export function FrameError({ as: Heading = "h2" }: { as?: "h1" | "h2" }) {
  const { title, text, action } = useProblem(false);
  return (
    <div className="max-w-[620px]">
      <Heading className={`font-display ${Heading === "h1" ? "text-title-phone md:text-title" : "text-section"}`}>
        {title}
      </Heading>
      <p className="mt-2 mb-5 text-muted">{text}</p>
      <div className="flex flex-wrap gap-3">{action}</div>
    </div>
  );
}
