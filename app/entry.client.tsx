import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { parseTheme } from "~/platform/theme";
import { ThemeContext } from "~/ui/request-contexts";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <ThemeContext.Provider value={parseTheme(document.documentElement.dataset.theme) ?? "system"}>
        <RemixBrowser />
      </ThemeContext.Provider>
    </StrictMode>,
  );
});
