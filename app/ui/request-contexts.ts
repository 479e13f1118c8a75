import { createContext } from "react";

/** The Content-Security-Policy nonce of the page being rendered; empty in the browser, which no longer needs it. */
export const NonceContext = createContext("");

/** The form that was posted, while the server renders the page that answers it; never in the browser. */
export const SubmittedContext = createContext<FormData | null>(null);
