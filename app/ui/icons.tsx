import type { SVGProps } from "react";
import { type Rank, type RankTier, splitRank } from "~/game/ranks";
import type { Role } from "~/game/roles";

/* All drawings here are decoration: they are hidden from assistive technology and shown next to words. */

const BANNERS =
  "M2.5 2.5H7.7V13.63L2.5 15.61zM2.5 23.81L7.7 21.83V26.9a2.6 2.6 0 0 1 -5.2 0zM9.5 2.5H14.7V10.98L9.5 12.95zM9.5 21.15L14.7 19.18V26.9a2.6 2.6 0 0 1 -5.2 0zM16.5 2.5H21.7V8.32L16.5 10.3zM16.5 18.5L21.7 16.52V26.9a2.6 2.6 0 0 1 -5.2 0zM23.5 2.5H28.7V5.67L23.5 7.64zM23.5 15.84L28.7 13.87V26.9a2.6 2.6 0 0 1 -5.2 0z";

/** The mark alone: four banners crossed by a sky-blue slash. Set its size with a class (default 30 px). */
export function LogoMark({ className = "size-[30px]" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" focusable="false">
      <path fill="currentColor" d={BANNERS} />
      <path fill="var(--spot-edge)" d="M0 18.11L32 5.97V11.07L0 23.21z" />
    </svg>
  );
}

const LOGO_SIZES = {
  normal: { mark: "size-7 md:size-[30px]", name: "text-[1.25rem] md:text-[1.3125rem]" },
  large: { mark: "size-7 md:size-[34px]", name: "text-[1.25rem] md:text-[1.3125rem]" },
  landing: { mark: "size-[34px]", name: "text-[1.3125rem]" },
} as const;

export type LogoSize = keyof typeof LOGO_SIZES;

/** Mark and name. The name is real text, so that a link around the logo has the name "Lineup". */
export function Logo({ size = "normal", nameClass = "" }: { size?: LogoSize; nameClass?: string }) {
  const { mark, name } = LOGO_SIZES[size];
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoMark className={mark} />
      <span className={`font-display leading-none tracking-[-0.012em] ${name} ${nameClass}`}>Lineup</span>
    </span>
  );
}

const ROLE_PATHS: Record<Role, string> = {
  Duelist:
    "M21.9 2.1L21.05 8.32L13.7 15.68L8.32 10.3L15.68 2.95zM4.65 9.74L14.26 19.35L12.14 21.48L2.52 11.86zM4.36 16.81L7.19 19.64L4.22 22.61L1.39 19.78z",
  Initiator:
    "M7.4 20.5a4.6 4.6 0 0 1 9.2 0zM19.2 19.81L24.2 19.68L23.27 15.33L18.65 17.24zM17.47 15.32L23.79 9.93L19.4 6.38L15.44 13.67zM13.31 12.92L15.19 2.79L8.81 2.79L10.69 12.92zM8.56 13.67L4.6 6.38L0.21 9.93L6.53 15.32zM5.35 17.24L0.73 15.33L-0.2 19.68L4.8 19.81z",
  Controller:
    "M6.4 4.6A9.5 9.5 0 0 1 19.2 6.8H4.8a9.5 9.5 0 0 1 1.6-2.2zM3.6 8.8h18.2v2.3H2.8zM2.4 13.1h16.8v2.3H2.8zM6.2 17.4h12.7A9.5 9.5 0 0 1 6.2 17.4z",
  Sentinel: "M12 1.5l3.2 3.7V21.5H8.8V5.2zM4.4 6.3l2.5 2.9v12.3H1.5V9.7zM19.6 6.3l2.9 3.4v11.8h-5.4V9.2z",
};

/** A role's glyph in the text's colour. Show it next to the role's name (see `RoleChip`). */
export function RoleGlyph({ role, className = "size-4" }: { role: Role; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={`overflow-visible ${className}`} aria-hidden="true" focusable="false">
      <path fill="currentColor" d={ROLE_PATHS[role]} />
    </svg>
  );
}

/** Each tier's silhouette, and where its division bars are cut out: top and height. */
const TIER_SHAPES: Record<RankTier, { path: string; barTop: number; barHeight: number }> = {
  iron: { path: "M3 3h18v18H3z", barTop: 8, barHeight: 8 },
  bronze: { path: "M3.5 3h17v11L12 21.5 3.5 14z", barTop: 6.6, barHeight: 7.4 },
  silver: { path: "M12 2.5l8.5 7.3V21h-17V9.8z", barTop: 10.4, barHeight: 7.4 },
  gold: { path: "M12 1.6l9.2 5.2v10.4L12 22.4l-9.2-5.2V6.8z", barTop: 8.2, barHeight: 7.6 },
  platinum: { path: "M3 2.5l9 4.3 9-4.3v12L12 22.3 3 14.5z", barTop: 9.2, barHeight: 7 },
  diamond: { path: "M12 .8L23.2 12 12 23.2 .8 12z", barTop: 8.5, barHeight: 7 },
  ascendant: { path: "M12 1.5l9.7 8.7v12L12 18.4l-9.7 3.8v-12z", barTop: 9.4, barHeight: 6.9 },
  immortal: { path: "M2 3.2l5.3 4.3L12 1.2l4.7 6.3L22 3.2v11L12 22.8 2 14.2z", barTop: 9.6, barHeight: 6.9 },
  radiant: {
    path: "M12 0.2L14.5 4.3L18.94 2.45L18.55 7.24L23.22 8.35L20.1 12L23.22 15.65L18.55 16.76L18.94 21.55L14.5 19.7L12 23.8L9.5 19.7L5.06 21.55L5.45 16.76L0.78 15.65L3.9 12L0.78 8.35L5.45 7.24L5.06 2.45L9.5 4.3z",
    barTop: 0,
    barHeight: 0,
  },
};

const BAR_OFFSETS = { 0: [], 1: [10.85], 2: [8.82, 12.88], 3: [6.8, 10.85, 14.9] } as const;

/**
 * A rank's glyph: the silhouette is the tier, the cut-out bars are the division. At least 18 px, and next to the rank's
 * name.
 */
export function RankGlyph({ rank, className = "size-[18px]" }: { rank: Rank; className?: string }) {
  const { tier, division } = splitRank(rank);
  const { path, barTop, barHeight } = TIER_SHAPES[tier];
  const bars = BAR_OFFSETS[division].map((x) => `M${x} ${barTop}h2.3v${barHeight}h-2.3z`).join("");
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true" focusable="false">
      <path fill={`var(--rank-${tier})`} fillRule="evenodd" d={path + bars} />
      {tier === "radiant" && <path fill="var(--rank-radiant-core)" d="M8.8 7.8h6.4v5.2a3.2 3.2 0 0 1-6.4 0z" />}
    </svg>
  );
}

type IconProps = { className?: string };

/**
 * Makes an icon of lines. The components are made by a function, because written out they would be a twentieth of the
 * script that every page loads.
 * @param lines the path of the lines
 * @param size the size by default, as a class
 * @param more circles, as `[x, y, radius]`, and attributes of the path
 */
const lineIcon =
  (
    lines: string,
    size: string,
    { circles = [], ...path }: SVGProps<SVGPathElement> & { circles?: [number, number, number][] } = {},
  ) =>
  ({ className = size }: IconProps) => (
    <svg
      viewBox="0 0 24 24"
      className={`flex-none ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      aria-hidden="true"
      focusable="false"
    >
      {circles.map(([cx, cy, r]) => (
        <circle key={cx} cx={cx} cy={cy} r={r} />
      ))}
      <path {...path} d={lines} />
    </svg>
  );

/** Plus: before an action that creates something. */
export const PlusIcon = /* @__PURE__ */ lineIcon("M12 4.5v15M4.5 12h15", "size-[18px]");

/** Tick: a reason for a match, a success, the Verified mark. */
export const CheckIcon = /* @__PURE__ */ lineIcon("M4 12.8l5.2 5L20 6.6", "size-4", { strokeWidth: "2.4" });

/** Dash: a reason against a match. */
export const DashIcon = /* @__PURE__ */ lineIcon("M5.5 12h13", "size-4", { strokeWidth: "2.4" });

/** Triangle with an exclamation mark: an error. */
export const WarningIcon = /* @__PURE__ */ lineIcon("M12 3.2L22 20.4H2zM12 9.4v5.2M12 16.4v1.9", "size-4", {
  strokeLinejoin: "round",
});

/** The bell of the header. */
export const BellIcon = /* @__PURE__ */ lineIcon(
  "M3 18.2h18M5.6 18.2V11a6.4 6.4 0 0 1 12.8 0v7.2M9.6 21h4.8",
  "size-[22px]",
);

/** Magnifying glass: the search. */
export const SearchIcon = /* @__PURE__ */ lineIcon(
  "M17 10.5a6.5 6.5 0 1 0-13 0 6.5 6.5 0 0 0 13 0M15.2 15.2L21 21",
  "size-[22px]",
);

/** Cross: closes a dialog or a toast. */
export const CloseIcon = /* @__PURE__ */ lineIcon("M5.5 5.5l13 13M18.5 5.5l-13 13", "size-5");

/** Three shrinking lines: filters. */
export const FilterIcon = /* @__PURE__ */ lineIcon("M3 6.5h18M6.5 12h11M10 17.5h4", "size-[18px]");

/** Chevron of a select or a fold. */
export const ChevronIcon = /* @__PURE__ */ lineIcon("M5.5 9l6.5 6.5L18.5 9", "size-[18px]");

/** Three dots in a row: more actions. */
export const MoreIcon = /* @__PURE__ */ lineIcon("M5 12h.01M12 12h.01M19 12h.01", "size-6", {
  strokeWidth: "3",
  strokeLinecap: "round",
});

/** Two banners hanging from a line: the LFG tab. */
export const LfgIcon = /* @__PURE__ */ lineIcon(
  "M2 5h20M5 5v9a2.9 2.9 0 0 0 5.8 0V5M13.2 5v9a2.9 2.9 0 0 0 5.8 0V5",
  "size-6",
);

/** Cup: the Tournaments tab. */
export const TournamentsIcon = /* @__PURE__ */ lineIcon(
  "M7 4h10v6.5a5 5 0 0 1-10 0zM7 6H3.4v2A3.6 3.6 0 0 0 7 11.4M17 6h3.6v2A3.6 3.6 0 0 1 17 11.4M12 15.5v5M7.5 20.5h9",
  "size-6",
);

/** Two people: the Players tab. */
export const PlayersIcon = /* @__PURE__ */ lineIcon(
  "M2.6 20v-1.4a5.4 5.4 0 0 1 5.4-5.4h2.8a5.4 5.4 0 0 1 5.4 5.4V20M15.6 4.6a3.6 3.6 0 0 1 0 6.8M18.4 13.8a5.4 5.4 0 0 1 3 4.8V20",
  "size-6",
  { circles: [[9.4, 8, 3.6]] },
);

/** Speech bubble: the Chat tab. */
export const ChatIcon = /* @__PURE__ */ lineIcon("M3 4.5h18v12.5H10.4L6 21v-4H3z", "size-6");

/** One person: the Profile tab. */
export const ProfileIcon = /* @__PURE__ */ lineIcon("M4.4 20.5v-1a6 6 0 0 1 6-6h3.2a6 6 0 0 1 6 6v1", "size-6", {
  circles: [[12, 8, 3.8]],
});

/** Two sliders: the settings. */
export const SettingsIcon = /* @__PURE__ */ lineIcon(
  "M2.5 7.5h9.4M17.9 7.5h3.6M2.5 16.5h3.6M12.1 16.5h9.4",
  "size-[22px]",
  {
    circles: [
      [14.9, 7.5, 2.8],
      [9.1, 16.5, 2.8],
    ],
  },
);

/** Arrow through a door: signing out. */
export const SignOutIcon = /* @__PURE__ */ lineIcon("M10 4H4v16h6M9 12h12M16.5 7.5L21 12l-4.5 4.5", "size-[22px]");
