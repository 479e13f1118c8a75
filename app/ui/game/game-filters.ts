import { REGIONS } from "~/game/regions";
import { ROLES } from "~/game/roles";
import { VOICE_COMMS_LABELS } from "~/game/voice";
import type { SearchParam } from "~/platform/search-params/search-params";

/* Filters that several lists share. */

export const ROLE_FILTER = {
  kind: "choice",
  options: ROLES,
  label: "Role",
  any: "All roles",
} satisfies SearchParam;

export const REGION_FILTER = {
  kind: "choice",
  options: REGIONS,
  label: "Region",
  any: "All regions",
} satisfies SearchParam;

export const VOICE_FILTER = {
  kind: "choice",
  options: VOICE_COMMS_LABELS,
  label: "Voice Comms",
  any: "Any",
} satisfies SearchParam;
