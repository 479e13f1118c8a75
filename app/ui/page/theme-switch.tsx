import { useFetcher, useFetchers, useLocation, useRouteLoaderData } from "@remix-run/react";
import { type FormEvent, useContext } from "react";
import { parseTheme, THEME_ADDRESS, THEMES, type Theme } from "~/platform/pages/theme";
import { ThemeContext } from "./request-contexts";

const NAMES: Record<Theme, string> = { system: "System", dark: "Dark", light: "Light" };

/**
 * Returns the page's theme: a choice that is being submitted, or else the one that the page was loaded with. An error
 * page may have no loader data, so it uses the theme that the document was rendered with.
 */
export function useTheme(): Theme {
  const pressed = useFetchers().find(({ formAction }) => formAction === THEME_ADDRESS);
  const loaded = useRouteLoaderData("root") as { theme?: Theme } | undefined;
  const rendered = useContext(ThemeContext);
  return parseTheme(pressed?.formData?.get("theme")) ?? loaded?.theme ?? rendered;
}

/**
 * System, dark or light: three buttons of a form, the chosen one pressed. Without JavaScript the page reloads in its
 * new colours; with it the colours change immediately.
 */
export function ThemeSwitch({ className = "" }: { className?: string }) {
  const current = useTheme();
  const { pathname, search } = useLocation();
  const fetcher = useFetcher();

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const theme = (submitter as HTMLButtonElement).value;
    fetcher.submit({ theme }, { method: "post", action: THEME_ADDRESS });
  }

  return (
    <form method="post" action={THEME_ADDRESS} onSubmit={choose} className={className}>
      <input type="hidden" name="returnTo" value={pathname + search} />
      <fieldset className="theme-switch">
        <legend className="text-meta font-semibold">Theme</legend>
        <div className="theme-switch-choices">
          {THEMES.map((theme) => (
            <button
              key={theme}
              type="submit"
              name="theme"
              value={theme}
              aria-pressed={theme === current}
              className="hung-tab cursor-pointer justify-center"
            >
              {NAMES[theme]}
            </button>
          ))}
        </div>
      </fieldset>
    </form>
  );
}
