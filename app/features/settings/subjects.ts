/** A page of the settings: `/dashboard/settings/<word>`. */
interface SettingsSubject {
  /** The last segment of its path. */
  word: string;
  /** The text of its link, and the heading of its page. */
  name: string;
  /** Its description in the list. */
  sentence: string;
}

/** All settings pages, in order. A new one needs a line here and a route `dashboard.settings.<word>.tsx`. */
export const SETTINGS: readonly SettingsSubject[] = [
  { word: "appearance", name: "Appearance", sentence: "Dark, light, or as your device has it." },
  { word: "notifications", name: "Notifications", sentence: "What the bell tells you." },
  { word: "calendar", name: "Calendar", sentence: "Your tournaments in your own calendar." },
  { word: "email", name: "Email", sentence: "The address you sign in with." },
  { word: "password", name: "Password", sentence: "Change or set your password." },
  { word: "two-factor", name: "Two-Factor", sentence: "A code from your phone besides the password." },
  { word: "sessions", name: "Sessions", sentence: "Where you are signed in, and how to end that." },
  { word: "linked-accounts", name: "Linked Accounts", sentence: "Discord and Riot: what is yours, and signs you in." },
  {
    word: "who-can-message",
    name: "Who Can Message Me",
    sentence: "Everyone, players you have met, or nobody new.",
  },
  { word: "blocked", name: "Blocked Players", sentence: "Who can't write to you, nor you to them." },
  { word: "export", name: "Your Data", sentence: "All we hold about you, as a file." },
  { word: "delete-account", name: "Delete Account", sentence: "With seven days to change your mind." },
];

/** Alternative spellings of addresses, which redirect to the right one. */
const ALIASES: Record<string, string> = {
  "e-mail": "email",
  linked: "linked-accounts",
  "blocked-players": "blocked",
  delete: "delete-account",
  data: "export",
};

/** Finds the word for an alternative spelling; undefined if there is none. */
export const resolveAlias = (word: string): string | undefined =>
  Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;

export const settingsAddress = (word: string) => `/dashboard/settings/${word}`;
