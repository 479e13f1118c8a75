/** How much a player wants voice comms. */
export const VOICE_COMMS = ["required", "preferred", "optional", "none"] as const;

export type VoiceComms = (typeof VOICE_COMMS)[number];

/** The words for each value. */
export const VOICE_COMMS_LABELS: Record<VoiceComms, string> = {
  required: "Required",
  preferred: "Preferred",
  optional: "Optional",
  none: "No voice",
};

/** "Voice required", "No voice" */
export const sayVoice = (voice: VoiceComms): string => (voice === "none" ? VOICE_COMMS_LABELS.none : `Voice ${voice}`);
