import { LogoMark } from "./icons";
import { ThemeSwitch } from "./theme-switch";

/** The footer of every page that has one. The notice is required by Riot's developer terms, word for word. */
export function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="measure flex flex-col gap-x-12 gap-y-4 py-7 text-meta text-muted lg:flex-row">
        <div className="flex flex-none gap-2.5">
          <LogoMark className="size-6 text-text" />
          <p>
            <span className="block font-medium text-text">Lineup, built for the VALORANT community</span>© 2024–2026
            Lineup
          </p>
        </div>
        <p className="max-w-[660px] text-badge leading-[1.5]">
          Lineup isn't endorsed by Riot Games and doesn't reflect the views or opinions of Riot Games or anyone
          officially involved in producing or managing Riot Games properties. Riot Games, and all associated properties
          are trademarks or registered trademarks of Riot Games, Inc.
        </p>
        <ThemeSwitch className="flex-none lg:ml-auto" />
      </div>
    </footer>
  );
}
