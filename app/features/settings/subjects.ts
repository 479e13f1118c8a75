/** A page of the settings: `/dashboard/settings/<slug>`. */
interface SettingsSubject {
  /** The last segment of its path. */
  slug: string;
  /** The text of its link, and the heading of its page. */
  name: string;
  /** Its description in the list. */
  sentence: string;
}

/** All settings pages, in order. A new one needs a line here and a route `dashboard.settings.<slug>.tsx`. */
export const SETTINGS: readonly SettingsSubject[] = [
  { slug: "appearance", name: "Appearance", sentence: "Dark, light, or like your device." },
  { slug: "notifications", name: "Notifications", sentence: "What we tell you, and where." },
  { slug: "calendar", name: "Calendar", sentence: "Your tournaments in your own calendar." },
  { slug: "email", name: "Email", sentence: "The address you sign in with." },
  { slug: "password", name: "Password", sentence: "Change or set your password." },
  { slug: "two-factor", name: "Two-Factor", sentence: "A code from your phone when you sign in." },
  { slug: "sessions", name: "Sessions", sentence: "Where you're signed in, and how to sign out." },
  { slug: "linked-accounts", name: "Linked Accounts", sentence: "Discord and Riot accounts you can sign in with." },
  {
    slug: "who-can-message",
    name: "Who Can Message Me",
    sentence: "Everyone, players you've met, or nobody new.",
  },
  { slug: "online-status", name: "Online Status", sentence: "Who sees when you're online." },
  { slug: "blocked", name: "Blocked Players", sentence: "Players who can't message you." },
  { slug: "export", name: "Your Data", sentence: "Everything we hold about you, in one file." },
  { slug: "delete-account", name: "Delete Account", sentence: "With seven days to change your mind." },
];

/** Alternative spellings of addresses, which redirect to the right one. */
const ALIASES: Record<string, string> = {
  "e-mail": "email",
  linked: "linked-accounts",
  "blocked-players": "blocked",
  delete: "delete-account",
  data: "export",
};

/** Finds the slug for an alternative spelling; undefined if there is none. */
export const resolveAlias = (spelling: string): string | undefined =>
  Object.hasOwn(ALIASES, spelling) ? ALIASES[spelling] : undefined;

export const settingsAddress = (slug: string) => `/dashboard/settings/${slug}`;
