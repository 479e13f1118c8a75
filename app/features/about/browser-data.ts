/** Something that Lineup stores in the visitor's browser. */
interface BrowserData {
  /** The name, or the beginning of the name if it ends in an ellipsis. */
  name: string;
  why: string;
  /** How long it stays there. */
  until: string;
}

/** Every cookie that the public site sets. A test compares the names with those in the code. */
export const COOKIES: readonly BrowserData[] = [
  {
    name: "__Host-lineup_session",
    why: "Keeps you signed in.",
    until: "Until you sign out, or at most 30 days after your last visit",
  },
  {
    name: "__Host-lineup_device",
    why: "Remembers that this device doesn't need the second factor, if you ticked that.",
    until: "30 days",
  },
  {
    name: "__Host-lineup_known",
    why: "Remembers that you've signed in here, so that strangers who guess at your password don't lock you out.",
    until: "1 year after you last signed in",
  },
  { name: "__Host-lineup_sign_in", why: "Holds a sign-in until you enter the second factor.", until: "10 minutes" },
  { name: "__Host-lineup_signup", why: "Holds a sign-up between its two steps.", until: "1 hour" },
  { name: "__Host-lineup_code_…", why: "Ties an emailed code to the browser that asked for it.", until: "10 minutes" },
  {
    name: "__Host-lineup_oauth",
    why: "Ties a sign-in with Discord or Riot to the browser that started it.",
    until: "10 minutes",
  },
  { name: "lineup_event", why: "Tells your other tabs that you signed in or out.", until: "1 minute" },
  {
    name: "__Host-lineup_toast",
    why: "Carries a message such as “Message sent!” to the next page.",
    until: "1 minute",
  },
  { name: "lineup_zone", why: "Shows times in your time zone.", until: "1 year" },
  { name: "__Host-lineup_theme", why: "Remembers dark or light, if you chose one.", until: "1 year" },
  {
    name: "__Host-lineup_bracket",
    why: "Remembers how you like to see brackets, if you chose a view.",
    until: "1 year",
  },
];

/** Everything that the product keeps in the browser's storage. The same test compares the names. */
export const STORAGE: readonly BrowserData[] = [
  {
    name: "lineup:draft:…",
    why: "Keeps a message that you've started.",
    until: "Until you send or clear it, or leave its chat once that has closed",
  },
  {
    name: "lineup:unsent:…",
    why: "Keeps a message that couldn't be sent yet.",
    until: "Until it is sent, or its chat is gone",
  },
  {
    name: "lineup:viewer",
    why: "Remembers who is signed in, so that you see only your own unsent messages when you're offline.",
    until: "Until you sign out",
  },
  {
    name: "lineup:sound",
    why: "Remembers that you want a sound for notifications here.",
    until: "Until you turn it off",
  },
];

/** Every cache of the service worker (`public/sw.js`). The same test compares the names. */
export const CACHES: readonly BrowserData[] = [
  {
    name: "lineup-offline-…",
    why: "Keeps the page that you see when you're offline. It has nothing about you.",
    until: "Until a newer copy replaces it, or you clear Lineup's data",
  },
];
