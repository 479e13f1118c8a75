import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { watchNetwork } from "~/platform/network";
import { parseTheme } from "~/platform/pages/theme";
import { ThemeContext } from "~/ui/page/request-contexts";

/**
 * Waits until the loaders' data, which arrives as a stream in the document, is decoded. `RemixBrowser` starts decoding
 * when it is first called, before any hook, and suspends by throwing the promise. A key press or click before React's
 * first render makes React hydrate immediately. If the root suspends during that render, React throws error 345
 * ("Root did not complete"). Hydration therefore waits for the data (docs/decisions/0027).
 */
async function decodeLoaderData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (suspension) {
    // Anything but a promise is thrown again when React renders, and reported there.
    await suspension;
  }
}

watchNetwork();

Promise.all([decodeLoaderData(), window.loadShownParts?.()]).then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <ThemeContext.Provider value={parseTheme(document.documentElement.dataset.theme) ?? "system"}>
          <RemixBrowser />
        </ThemeContext.Provider>
      </StrictMode>,
    );
  }),
);
