import { createContext } from "react";
import type { Theme } from "~/platform/pages/theme";

/** The Content-Security-Policy nonce of the page being rendered; empty in the browser, which no longer needs it. */
export const NonceContext = createContext("");

/** The theme the document was rendered with, on the server and in the browser. */
export const ThemeContext = createContext<Theme>("system");

/** The form that was posted, while the server renders the page that answers it; never in the browser. */
export const SubmittedContext = createContext<FormData | null>(null);
