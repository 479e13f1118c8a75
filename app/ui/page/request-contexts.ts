import { createContext, type ReactNode } from "react";
import type { Theme } from "~/platform/pages/theme";

/** The Content-Security-Policy nonce of the page being rendered; empty in the browser, which no longer needs it. */
export const NonceContext = createContext("");

/** The theme that the document was rendered with, on the server and in the browser. */
export const ThemeContext = createContext<Theme>("system");

/** The posted form, while the server renders the page that answers it; always null in the browser. */
export const SubmittedContext = createContext<FormData | null>(null);

/** The content of an error page. */
export interface Problem {
  title: string;
  text: string;
  /** The player's options: links and buttons. */
  action: ReactNode;
}

/** The content of a page that keeps a refused form; `size` is that of its buttons. */
export type KeptForm = (size: "normal" | "landing") => Problem;

/**
 * The refused form that this page keeps. Such a page isn't hydrated, because only the server knows the form: in the
 * browser this is always null.
 */
export const KeptFormContext = createContext<KeptForm | null>(null);
