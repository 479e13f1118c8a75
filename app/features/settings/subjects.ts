/** A page of the settings: `/dashboard/settings/<word>`. */
export interface SettingsSubject {
  /** The end of its address. */
  word: string;
  /** Its tab, and the heading of its page. */
  name: string;
  /** What it is about, on the page that lists them all. */
  sentence: string;
}

/** The settings there are, in their order. A new one is a line here, and a route `dashboard.settings.<word>.tsx`. */
export const SETTINGS: readonly SettingsSubject[] = [
  { word: "appearance", name: "Appearance", sentence: "Dark, light, or as your device has it." },
  { word: "notifications", name: "Notifications", sentence: "What the bell tells you." },
  { word: "two-factor", name: "Two-Factor", sentence: "A code from your phone besides the password." },
  { word: "blocked", name: "Blocked Players", sentence: "Who can't write to you, nor you to them." },
];

export const settingsAddress = (word: string) => `/dashboard/settings/${word}`;
