import { AuthAside } from "~/ui/auth-layout";
import { DashboardHeader } from "~/ui/dashboard-header";
import { Specimens } from "./specimen";

/** The transform keeps the phone's bar, which is fixed, inside the specimen. */
export function Header() {
  return (
    <Specimens title="Dashboard header; on phones a bar at the foot of the screen, too">
      <div className="relative -mx-(--gutter) transform-[translateZ(0)] max-md:pb-28">
        <DashboardHeader name="miravel" letter="M" verified unread={5} unreadMessages={3} />
      </div>
    </Specimens>
  );
}

/** What stands beside the account forms from 1024 px. */
export function Aside() {
  return (
    <div className="max-lg:hidden">
      <Specimens title="Beside the account forms, before and after the name is known">
        <div className="grid grid-cols-2 gap-16">
          <div>
            <AuthAside />
          </div>
          <div>
            <AuthAside title="Almost there." text="Your spot has a name." name="Sørina Wójcik" tag="EUNE" />
          </div>
        </div>
      </Specimens>
    </div>
  );
}
