/** A player's preference for voice comms. */
export const VOICE_COMMS = ["required", "preferred", "optional", "none"] as const;

export type VoiceComms = (typeof VOICE_COMMS)[number];

/** The label of each value. */
export const VOICE_COMMS_LABELS: Record<VoiceComms, string> = {
  required: "Required",
  preferred: "Preferred",
  optional: "Optional",
  none: "No voice",
};

/** Describes a preference: "Voice required", "No voice". */
export const describeVoice = (voice: VoiceComms): string =>
  voice === "none" ? VOICE_COMMS_LABELS.none : `Voice ${voice}`;
