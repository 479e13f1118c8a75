import { LogoMark } from "./icons";
import { ThemeSwitch } from "./theme-switch";

/**
 * The footer of every page that has one. The notice is required by Riot's developer terms, word for word. `full` says
 * what Lineup is and needs no line above: the landing page ends in a band of its own.
 */
export function SiteFooter({ full = false }: { full?: boolean }) {
  return (
    <footer className={full ? "" : "border-t border-line"}>
      <div
        className={`measure flex flex-col gap-x-12 gap-y-4 text-meta text-muted lg:flex-row ${full ? "py-8" : "py-7"}`}
      >
        {full ? (
          <div className="flex flex-none gap-2.5">
            <LogoMark className="size-6 text-text" />
            <p>
              <span className="block text-text">Lineup, built for the VALORANT community</span>© 2024–2026 Lineup
            </p>
          </div>
        ) : (
          <p className="flex-none">© 2024–2026 Lineup</p>
        )}
        <p className={full ? "max-w-[640px] leading-[19px]" : "max-w-[780px] text-badge leading-[18px]"}>
          Lineup isn't endorsed by Riot Games and doesn't reflect the views or opinions of Riot Games or anyone
          officially involved in producing or managing Riot Games properties. Riot Games, and all associated properties
          are trademarks or registered trademarks of Riot Games, Inc.
        </p>
        <ThemeSwitch className="flex-none lg:ml-auto" />
      </div>
    </footer>
  );
}
