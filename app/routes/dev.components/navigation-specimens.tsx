import { AuthAside } from "~/features/auth/auth-layout";
import { StepIndicator } from "~/features/auth/sign-up/step-indicator";
import { DashboardHeader } from "~/features/dashboard/dashboard-header";
import { Bell } from "~/features/notifications/shared/bell";
import { ButtonLink } from "~/ui/button";
import { LoadingBar } from "~/ui/page/loading";
import { ThemeSwitch } from "~/ui/page/theme-switch";
import { Pages } from "~/ui/pagination";
import { Tabs } from "~/ui/tabs";
import { INERT, Row, Shown, Specimens } from "./specimen";

export function TabBars() {
  return (
    <Specimens name="Tabs" note="current, hover, focus; in a panel; more than fit">
      <Shown state="hover" target="li:nth-child(2) > a">
        <Shown state="focus-visible" target="li:nth-child(3) > a">
          <Tabs
            label="Tournament"
            tabs={[
              { to: "/dev/components", name: "Bracket", current: true },
              { to: "/dev/components?tab=teams", name: "Teams", current: false },
              { to: "/dev/components?tab=matches", name: "Matches", current: false },
              { to: "/dev/components?tab=rules", name: "Rules", current: false },
            ]}
          />
        </Shown>
      </Shown>
      <Tabs
        label="In a panel"
        rail="edge"
        className="mt-4"
        tabs={[
          { to: "/dev/components?list=open", name: "Open", current: false },
          { to: "/dev/components?list=mine", name: "Yours", current: true },
        ]}
      />
      <Tabs
        label="More than fit"
        className="mt-4 max-w-[280px]"
        tabs={["Quarter-finals", "Semi-finals", "Final", "Third place"].map((name, index) => ({
          to: `/dev/components?round=${index}`,
          name,
          current: index === 0,
        }))}
      />
    </Specimens>
  );
}

export function Bells() {
  return (
    <Specimens name="Bell" note="0, 5, 99 and more than 99 unread; hover, focus">
      <Row className="gap-6">
        <Bell />
        <Bell unread={5} />
        <Bell unread={99} />
        <Bell unread={240} />
        <Shown state="hover" target="a">
          <Bell unread={5} />
        </Shown>
        <Shown state="focus-visible" target="a">
          <Bell unread={5} />
        </Shown>
      </Row>
    </Specimens>
  );
}

export function Steps() {
  return (
    <Specimens name="Step indicator" note="the first, the second, done">
      <div className="space-y-5">
        <StepIndicator step={1} />
        <StepIndicator step={2} />
        <StepIndicator step={2} verified />
      </div>
    </Specimens>
  );
}

export function Themes() {
  return (
    <Specimens name="Theme switch">
      <ThemeSwitch />
    </Specimens>
  );
}

/** The loading bar at the top of the window during a navigation of more than 300 ms. */
export function Loading() {
  return (
    <Specimens name="Loading bar" note="when the next page takes longer than 300 ms">
      <div {...INERT}>
        <LoadingBar />
      </div>
    </Specimens>
  );
}

export function Pagination() {
  return (
    <Specimens name="Pagination" note="back and forward; by time; forward, where a search stopped">
      <div className="flex flex-wrap gap-x-8">
        <Pages previous="/dev/components" next="/dev/components" by="players" />
        <Pages previous="/dev/components" next="/dev/components" by="time" />
        <Pages previous={null} next="/dev/components" by="order" cutShort="next" />
      </div>
    </Specimens>
  );
}

/** A real dialog is modal and at the top of the window, so this specimen links to one at an address of its own. */
export function Dialogs() {
  return (
    <Specimens name="Dialog" note="hangs from the window's top; on phones, and without script, a page">
      <ButtonLink to="/dev/components/dialog" preventScrollReset>
        Open Dialog
      </ButtonLink>
    </Specimens>
  );
}

const VERIFIED = { label: "Verified", title: "Riot ID found" };

/** The transform keeps the phone's fixed bar inside the specimen. */
export function Header() {
  return (
    <Specimens name="Dashboard header" note="on phones a bar at the foot of the screen, too">
      <div className="relative transform-[translateZ(0)] max-md:pb-28">
        <DashboardHeader
          name="miravel"
          publicName="Sørina Wójcik"
          letter="M"
          avatarId={null}
          verified={VERIFIED}
          notifications={5}
          messages={3}
        />
      </div>
    </Specimens>
  );
}

/** The panel beside the account forms from 1024 px. */
export function Aside() {
  return (
    <div className="max-lg:hidden">
      <Specimens name="Account aside" note="before and after the name is known">
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
