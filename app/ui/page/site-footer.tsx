import type { ReactNode } from "react";
import { SettingsIcon } from "../icons";
import { Link } from "../link";
import { ThemeSwitch } from "./theme-switch";

/**
 * The pages about Lineup. Their names differ from those of other links: posts have a link `Contact`, tournaments a tab
 * `Rules`. They load as documents, because they come without script.
 */
const ABOUT = [
  ["/rules", "Code of conduct"],
  ["/terms", "Terms"],
  ["/privacy", "Privacy"],
  ["/contact", "Write to us"],
  ["/imprint", "Imprint"],
  ["/.well-known/security.txt", "Security"],
] as const;

/**
 * The footer of pages. Riot's developer terms require the notice word for word. From 1024 px on, where the header has
 * no account menu, signed-in players find the settings here, beside the theme.
 * @param full a description of Lineup to show instead of the year alone. Only the landing page passes it, so that other
 *   pages don't load it. The footer then has no line above, because that page ends in a band of its own
 */
export function SiteFooter({ full, signedIn = false }: { full?: ReactNode; signedIn?: boolean }) {
  return (
    <footer className={full ? "" : "border-t border-line"}>
      <div
        className={`measure flex flex-col gap-x-12 gap-y-4 text-meta text-muted lg:flex-row ${full ? "py-8" : "py-7"}`}
      >
        {full ?? <p className="flex-none">© 2024–2026 Lineup</p>}
        <div className={full ? "max-w-[640px]" : "max-w-[780px]"}>
          <p className={full ? "leading-[19px]" : "text-badge leading-[18px]"}>
            Lineup isn't endorsed by Riot Games and doesn't reflect the views or opinions of Riot Games or anyone
            officially involved in producing or managing Riot Games properties. Riot Games, and all associated
            properties are trademarks or registered trademarks of Riot Games, Inc.
          </p>
          <ul className="mt-2 flex flex-wrap gap-x-5">
            {ABOUT.map(([path, name]) => (
              <li key={path}>
                <a href={path} className="footer-link">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
        <div className="flex flex-none flex-col items-start gap-2 lg:ml-auto">
          <ThemeSwitch />
          {signedIn && (
            <Link
              to="/dashboard/settings"
              prefetch="intent"
              className="inline-flex min-h-8 items-center gap-2 rounded-control font-medium text-text hover:underline hover:underline-offset-3 max-lg:hidden"
            >
              <SettingsIcon className="size-[18px]" />
              Settings
            </Link>
          )}
        </div>
      </div>
    </footer>
  );
}
