import { RANKS, type Rank, rankPosition } from "~/game/ranks";
import { ROLES, type Role } from "~/game/roles";
import symbols from "./icons.svg";

/*
 * All icons here are decoration: they are hidden from assistive technology and shown next to text. Glyphs of ranks and
 * roles are masks in `glyphs.css`, because lists show dozens of them. The others are symbols in one file, which
 * browsers load once and keep.
 */

/** Shows a symbol of `icons.svg`. */
const SymbolIcon = ({ name, className }: { name: string; className: string }) => (
  <svg className={className} aria-hidden="true">
    <use href={`${symbols}#${name}`} />
  </svg>
);

/** The mark alone: four banners crossed by a sky-blue slash. Set its size with a class (default 30 px). */
export const LogoMark = ({ className = "size-[30px]" }: { className?: string }) => (
  <SymbolIcon name="logo" className={className} />
);

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

/** The class in `glyphs.css` for the glyph of a rank, which `glyph` shows by itself, and `rank` before text. */
export const rankGlyph = (rank: Rank) => `g${rankPosition(rank)}`;

/** The same for a role: `role` shows its glyph before text. */
export const roleGlyph = (role: Role) => `g${RANKS.length + ROLES.indexOf(role)}`;

/** A role's glyph in the text's colour. Show it next to the role's name (see `RoleChip`). */
export const RoleGlyph = ({ role, className = "size-4" }: { role: Role; className?: string }) => (
  <i className={`glyph ${roleGlyph(role)} ${className}`} />
);

/**
 * A rank's glyph: the silhouette is the tier, the cut-out bars are the division. At least 18 px, and next to the rank's
 * name.
 */
export const RankGlyph = ({ rank, className = "size-[18px]" }: { rank: Rank; className?: string }) => (
  <i className={`glyph ${rankGlyph(rank)} ${className}`} />
);

/**
 * Creates a line icon in the text's colour.
 * @param name its symbol
 * @param size the size by default, as a class
 */
const lineIcon =
  (name: string, size: string) =>
  ({ className = size }: { className?: string }) => <SymbolIcon name={name} className={`flex-none ${className}`} />;

/** Plus: before an action that creates something. */
export const PlusIcon = /* @__PURE__ */ lineIcon("plus", "size-[18px]");

/** Tick: a success, a step that is done. */
export const CheckIcon = /* @__PURE__ */ lineIcon("check", "size-4");

/** Dash: a reason against a match. */
export const DashIcon = /* @__PURE__ */ lineIcon("dash", "size-4");

/** Triangle with an exclamation mark: an error. */
export const WarningIcon = /* @__PURE__ */ lineIcon("warning", "size-4");

/** The bell of the header. */
export const BellIcon = /* @__PURE__ */ lineIcon("bell", "size-[22px]");

/** Magnifying glass: the search. */
export const SearchIcon = /* @__PURE__ */ lineIcon("search", "size-[22px]");

/** Cross: closes a dialog or a toast. */
export const CloseIcon = /* @__PURE__ */ lineIcon("close", "size-5");

/** Three shrinking lines: filters. */
export const FilterIcon = /* @__PURE__ */ lineIcon("filter", "size-[18px]");

/** Chevron of a select or a fold. */
export const ChevronIcon = /* @__PURE__ */ lineIcon("chevron", "size-[18px]");

/** Three dots in a row: more actions. */
export const MoreIcon = /* @__PURE__ */ lineIcon("more", "size-6");

/** Two banners hanging from a line: the LFG tab. */
export const LfgIcon = /* @__PURE__ */ lineIcon("lfg", "size-6");

/** Cup: the Tournaments tab. */
export const TournamentsIcon = /* @__PURE__ */ lineIcon("tournaments", "size-6");

/** Two people: the Players tab. */
export const PlayersIcon = /* @__PURE__ */ lineIcon("players", "size-6");

/** Speech bubble: the Chat tab. */
export const ChatIcon = /* @__PURE__ */ lineIcon("chat", "size-6");

/** One person: the Profile tab. */
export const ProfileIcon = /* @__PURE__ */ lineIcon("profile", "size-6");

/** Two sliders: the settings. */
export const SettingsIcon = /* @__PURE__ */ lineIcon("settings", "size-[22px]");

/** Arrow through a door: signing out. */
export const SignOutIcon = /* @__PURE__ */ lineIcon("sign-out", "size-[22px]");
