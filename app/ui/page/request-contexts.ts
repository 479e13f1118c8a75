import { createContext, type ReactNode } from "react";
import type { Theme } from "~/platform/pages/theme";

/** The Content-Security-Policy nonce of the page being rendered; empty in the browser, which no longer needs it. */
export const NonceContext = createContext("");

/** The theme the document was rendered with, on the server and in the browser. */
export const ThemeContext = createContext<Theme>("system");

/** The form that was posted, while the server renders the page that answers it; never in the browser. */
export const SubmittedContext = createContext<FormData | null>(null);

/** The words of a page about an error. */
export interface Problem {
  title: string;
  text: string;
  /** What the player can do now: links and buttons. */
  action: ReactNode;
}

/** The words of a page that keeps a form which could not be taken; `size` is that of its buttons. */
export type KeptForm = (size: "normal" | "landing") => Problem;

/**
 * The form that the page being rendered keeps, to be sent again. Such a page isn't brought to life: only the server
 * knows the form, so in the browser this is always null.
 */
export const KeptFormContext = createContext<KeptForm | null>(null);
