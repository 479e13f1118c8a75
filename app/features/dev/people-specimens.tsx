import { RANK_TIERS, RANKS, splitRank } from "~/features/game/ranks";
import { ROLES } from "~/features/game/roles";
import { Avatar } from "~/ui/avatar";
import { Badge, Count, VerifiedMark } from "~/ui/badge";
import { Bell } from "~/ui/bell";
import { Five } from "~/ui/five";
import { RankGlyph, RoleGlyph } from "~/ui/icons";
import { RankBadge } from "~/ui/rank-badge";
import { RoleChip } from "~/ui/role-chip";
import { Ruler } from "~/ui/ruler";
import { Rating, Stars } from "~/ui/stars";
import { Tabs } from "~/ui/tabs";
import { Row, Specimens } from "./specimen";

const TIER_SAMPLES = [
  "Iron 1",
  "Bronze 3",
  "Silver 2",
  "Gold 1",
  "Platinum 2",
  "Diamond 3",
  "Ascendant 1",
  "Immortal 2",
  "Radiant",
] as const;

/** As in `components-1280.png`. */
export function BadgesRanksRoles() {
  return (
    <Specimens title="Badges, ranks, roles">
      <Row>
        <Badge>Beta</Badge>
        <VerifiedMark />
        <Badge variant="dashed">Coming Soon</Badge>
        <Badge variant="good">In progress</Badge>
        <Badge variant="count">3</Badge>
        <Count value={240} className="flex" />
      </Row>
      <Row className="gap-3.5">
        {TIER_SAMPLES.map((rank) => (
          <RankGlyph key={rank} rank={rank} className="size-7" />
        ))}
      </Row>
      <Row>
        {ROLES.map((role) => (
          <RoleChip key={role} role={role} strong />
        ))}
      </Row>
    </Specimens>
  );
}

export function AllRanks() {
  return (
    <Specimens title="The 25 ranks, and a role beside them">
      <ul className="grid grid-cols-2 gap-x-3 gap-y-2 md:grid-cols-3">
        {RANK_TIERS.flatMap((tier) =>
          RANKS.filter((rank) => splitRank(rank).tier === tier).map((rank) => (
            <li key={rank}>
              <RankBadge rank={rank} />
            </li>
          )),
        )}
        <li>
          <RoleChip role="Controller" />
        </li>
      </ul>
    </Specimens>
  );
}

/** As in `components-1280.png`. */
export function Banners() {
  return (
    <Specimens title="Banners: online, away, offline; a spot you can take, a spot you can't, not in use">
      <div aria-hidden="true" className="flex flex-wrap gap-5">
        <div className="flex gap-[5px] border-t-2 border-edge">
          <Avatar letter="S" presence="online" />
          <Avatar letter="Д" presence="away" />
          <Avatar letter="U" />
        </div>
        <div className="flex w-[200px] gap-[5px] border-t-2 border-edge">
          <span className="u u-spot">
            <RoleGlyph role="Sentinel" className="size-[17px]" />
          </span>
          <span className="u u-spot" />
          <span className="u u-misfit">
            <RoleGlyph role="Duelist" className="size-[17px]" />
          </span>
          <span className="u u-none" />
          <span className="u u-none" />
        </div>
      </div>
    </Specimens>
  );
}

export function MoreBanners() {
  return (
    <Specimens title="The Five and the sizes of a banner">
      <div aria-hidden="true" className="flex flex-wrap gap-x-10 gap-y-5">
        <Five letter="S" presence="online" needed={1} fits role="Controller" />
        <Five letter="T" needed={4} fits />
        <Five letter="r" presence="online" needed={1} fits={false} role="Sentinel" />
        <Five letter="P" presence="away" needed={2} fits={false} />
        <div className="flex items-start gap-4 border-t-2 border-edge">
          <Avatar letter="M" presence="online" size="small" />
          <Avatar letter="M" presence="online" />
          <Avatar letter="M" presence="away" size="header" />
          <Avatar letter="M" presence="online" size="large" />
        </div>
      </div>
    </Specimens>
  );
}

export function Rulers() {
  return (
    <Specimens title="Ruler: always with words">
      <div className="space-y-5">
        <div>
          <p className="mb-2 text-meta text-muted">Duo or trio. The long bar is you, Platinum 2.</p>
          <Ruler from="Gold 1" to="Diamond 2" you="Platinum 2" />
        </div>
        <div>
          <p className="mb-2 text-meta text-muted">A full five: every rank can queue.</p>
          <Ruler from="Iron 1" to="Radiant" />
        </div>
      </div>
    </Specimens>
  );
}

export function Ratings() {
  return (
    <Specimens title="Ratings">
      <div className="flex flex-wrap items-start gap-x-10 gap-y-5">
        <Rating score={4.6} count={23} />
        <Rating score={null} count={0} />
        <Rating score={4.9} count={41} variant="row" />
        <Rating score={3} count={1} variant="row" />
        <Rating score={null} count={0} variant="row" />
      </div>
      <Row className="mt-4 gap-6">
        <Stars rating={5} size="small" />
        <Stars rating={4} size="small" />
        <Stars rating={2.5} />
        <Stars rating={1} />
        <Stars rating={4.6} size="large" />
      </Row>
    </Specimens>
  );
}

export function TabsAndBells() {
  return (
    <Specimens title="Tabs, and the bell with 0, 5 and 240 unread">
      <Tabs
        label="Tournament"
        tabs={[
          { to: "/dev/components", name: "Bracket", current: true },
          { to: "/dev/components?tab=teams", name: "Teams", current: false },
          { to: "/dev/components?tab=matches", name: "Matches", current: false },
          { to: "/dev/components?tab=rules", name: "Rules", current: false },
        ]}
      />
      <Tabs
        label="In a panel"
        rail="edge"
        className="mt-4"
        tabs={[
          { to: "/dev/components?list=open", name: "Open", current: false },
          { to: "/dev/components?list=mine", name: "Yours", current: true },
        ]}
      />
      <Row className="mt-4 gap-6">
        <Bell />
        <Bell unread={5} />
        <Bell unread={240} />
      </Row>
    </Specimens>
  );
}
