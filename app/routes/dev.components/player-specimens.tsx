import { RatingBars } from "~/features/feedback/rating-bars";
import { Rating, Stars } from "~/features/feedback/shared/stars";
import { Five } from "~/features/lfg/five";
import { Reason } from "~/features/players/shared/reason";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { RANKS } from "~/game/ranks";
import { ROLES } from "~/game/roles";
import { Avatar } from "~/ui/avatar";
import { Badge, Count } from "~/ui/badge";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { Ruler } from "~/ui/game/ruler";
import {
  BellIcon,
  ChatIcon,
  CheckIcon,
  ChevronIcon,
  CloseIcon,
  DashIcon,
  FilterIcon,
  LfgIcon,
  Logo,
  MoreIcon,
  PlayersIcon,
  PlusIcon,
  ProfileIcon,
  RankGlyph,
  RoleGlyph,
  SettingsIcon,
  SignOutIcon,
  TournamentsIcon,
  WarningIcon,
} from "~/ui/icons";
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

/** Matches the design in `components-1280.png`. */
export function Badges() {
  return (
    <Specimens name="Badge" note="only accounts are verified; counts stop at 99+; one glyph per rank tier">
      <Row>
        <Badge>Beta</Badge>
        <VerifiedMark label="Verified" title="Riot ID found" />
        <Badge variant="dashed">Coming Soon</Badge>
        <Badge variant="good">In progress</Badge>
        <Badge variant="count">3</Badge>
        <Count value={240} />
      </Row>
      <Row>
        <Badge variant="warn">Waiting for confirmation</Badge>
        <Count value={99} />
        <Count value={100} />
      </Row>
      <Row className="gap-3.5">
        {TIER_SAMPLES.map((rank) => (
          <RankGlyph key={rank} rank={rank} className="size-7" />
        ))}
      </Row>
    </Specimens>
  );
}

export function RankBadges() {
  return (
    <Specimens name="Rank badge" note="all 25, self-reported">
      <ul className="grid grid-cols-3 gap-x-4 gap-y-2">
        {RANKS.map((rank) => (
          <li key={rank}>
            <RankBadge rank={rank} />
          </li>
        ))}
      </ul>
    </Specimens>
  );
}

export function RoleChips() {
  return (
    <Specimens name="Role chip" note="a role that a player plays; a role that a post asks for">
      <Row>
        {ROLES.map((role) => (
          <RoleChip key={role} role={role} />
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

/** Matches the design in `components-1280.png`. */
export function Banners() {
  return (
    <Specimens name="Banner" note="online, away, offline; an open spot that fits you, one that doesn't, an unused one">
      <div aria-hidden="true" className="flex flex-wrap gap-5">
        <div className="flex gap-[5px] border-t-2 border-edge">
          <Avatar letter="S" presence="online" />
          <Avatar letter="Д" presence="away" />
          <Avatar letter="U" />
        </div>
        <div className="flex w-[200px] gap-[5px] border-t-2 border-edge">
          <span className="u u-spot">
            <RoleGlyph role="Sentinel" className="size-[18px]" />
          </span>
          <span className="u u-spot" />
          <span className="u u-misfit">
            <RoleGlyph role="Duelist" className="size-[18px]" />
          </span>
          <span className="u u-none" />
          <span className="u u-none" />
        </div>
      </div>
    </Specimens>
  );
}

const SURFACES = ["bg-floor", "bg-sheet", "bg-raised", "bg-overlay"] as const;

export function Avatars() {
  return (
    <Specimens name="Avatar" note="four sizes, letters from other alphabets, the presence dot on each surface">
      <div aria-hidden="true" className="flex flex-wrap items-start gap-5">
        <div className="flex items-start gap-3 border-t-2 border-edge pb-2">
          <Avatar letter="M" presence="online" size="small" />
          <Avatar letter="M" presence="online" />
          <Avatar letter="M" presence="away" size="header" />
          <Avatar letter="M" presence="online" size="large" />
        </div>
        <div className="flex items-start gap-[5px] border-t-2 border-edge">
          {["Ż", "Ø", "Ș", "ñ", "?"].map((letter) => (
            <Avatar key={letter} letter={letter} />
          ))}
        </div>
        <div className="flex flex-wrap">
          {SURFACES.map((surface) => (
            <div key={surface} className={`flex gap-3 border-t-2 border-edge px-3 pb-3 ${surface}`}>
              <Avatar letter="S" presence="online" />
              <Avatar letter="T" presence="away" />
            </div>
          ))}
        </div>
      </div>
    </Specimens>
  );
}

export function Fives() {
  return (
    <Specimens name="Five" note="one to four spots, with and without a role; solid fits you, dashed doesn't">
      <div aria-hidden="true" className="flex flex-wrap gap-x-8 gap-y-5">
        <Five members={[{ letter: "S", presence: "online" }]} needed={1} fits role="Controller" />
        <Five members={[{ letter: "Д", presence: "online" }]} needed={2} fits />
        <Five members={[{ letter: "Ł" }]} needed={3} fits role="Duelist" />
        <Five members={[{ letter: "T" }]} needed={4} fits role="Initiator" />
        <Five members={[{ letter: "r", presence: "online" }]} needed={1} fits={false} role="Sentinel" />
        <Five members={[{ letter: "P", presence: "away" }]} needed={4} fits={false} />
      </div>
    </Specimens>
  );
}

export function Reasons() {
  return (
    <Specimens name="Reason" note="why a post or a player fits you, or doesn't">
      <ul className="flex flex-wrap gap-x-[18px] gap-y-1.5 text-meta">
        <Reason>You play Controller</Reason>
        <Reason>Platinum 2 can queue with Diamond 1</Reason>
        <Reason>Both in Europe</Reason>
        <Reason fits={false}>Asks for Immortal 3. You are Platinum 2.</Reason>
      </ul>
    </Specimens>
  );
}

export function Rulers() {
  return (
    <Specimens name="Ruler" note="always shown with its meaning in words">
      <div className="space-y-5">
        <div>
          <p className="mb-2 text-meta text-muted">Duo or trio. The long bar is you, Platinum 2.</p>
          <Ruler from="Gold 1" to="Diamond 2" you="Platinum 2" className="max-w-[296px]" />
        </div>
        <div>
          <p className="mb-2 text-meta text-muted">A full five: every rank can queue.</p>
          <Ruler from="Iron 1" to="Radiant" />
        </div>
        <div>
          <p className="mb-2 text-meta text-muted">On the landing page. You are Radiant.</p>
          <Ruler from="Immortal 3" to="Radiant" you="Radiant" size="landing" />
        </div>
      </div>
    </Specimens>
  );
}

export function Ratings() {
  return (
    <Specimens name="Stars" note="rounded to the nearest half; the rating on a profile and in a row">
      <Row className="gap-6">
        <Stars rating={5} size="small" />
        <Stars rating={2.5} size="small" />
        <Stars rating={1} />
        <Stars rating={4.6} size="large" />
      </Row>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-4">
        <Rating score={4.6} count={23} />
        <Rating score={null} count={0} />
        <Rating score={4.9} count={41} variant="row" />
        <Rating score={3} count={1} variant="row" />
        <Rating score={null} count={0} variant="row" />
      </div>
    </Specimens>
  );
}

export function RatingDistribution() {
  return (
    <Specimens name="Rating bars" note="the distribution of many reviews, and of a single one">
      <div className="grid gap-8 md:grid-cols-2">
        <RatingBars counts={[1, 0, 4, 12, 23]} />
        <RatingBars counts={[0, 0, 0, 1, 0]} />
      </div>
    </Specimens>
  );
}

/** Lists the icons one by one, because a namespace import would ship all of them, names included, to every page. */
const ICONS = Object.entries({
  PlusIcon,
  CheckIcon,
  DashIcon,
  WarningIcon,
  BellIcon,
  CloseIcon,
  FilterIcon,
  ChevronIcon,
  MoreIcon,
  LfgIcon,
  TournamentsIcon,
  PlayersIcon,
  ChatIcon,
  ProfileIcon,
  SettingsIcon,
  SignOutIcon,
});

export function Icons() {
  return (
    <Specimens name="Icons" note="drawn for Lineup; always shown with a label">
      <Row className="gap-5">
        <Logo />
        <Logo size="large" />
      </Row>
      <Row className="gap-4">
        {ICONS.map(([name, Icon]) => (
          <Icon key={name} />
        ))}
      </Row>
    </Specimens>
  );
}
