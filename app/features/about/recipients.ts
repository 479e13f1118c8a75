import type { Env } from "~/platform/env";

/** A company or service that gets data from this site. */
export interface Recipient {
  name: string;
  gets: string;
}

type RecipientEnv = Pick<
  Env,
  | "LIBSQL_URL"
  | "EMAIL_API_URL"
  | "EMAIL"
  | "TURNSTILE_SITE_KEY"
  | "DISCORD_CLIENT_ID"
  | "RIOT_CLIENT_ID"
  | "VAPID_PUBLIC_KEY"
>;

/** Lists who gets data from a site with these settings: services that aren't configured are left out. */
export function recipientsOf(env: RecipientEnv): Recipient[] {
  const atTurso = /\.turso\.io(:\d+)?\/?$/.test(env.LIBSQL_URL);
  return [
    {
      name: "Cloudflare",
      gets: `runs the site. Every request passes through it, with your IP address. It also stores pictures and the log of requests${env.EMAIL && !env.EMAIL_API_URL ? ", and sends our emails" : ""}.`,
    },
    {
      name: atTurso ? "Turso" : "The database's host",
      gets: "stores our database, with the data in the table above. Its backups contain deleted data until they're overwritten, after 90 days at most.",
    },
    ...(env.EMAIL_API_URL
      ? [
          {
            name: `The email provider at ${new URL(env.EMAIL_API_URL).hostname}`,
            gets: "gets our emails to you, with your address.",
          },
        ]
      : []),
    {
      name: "Riot Games",
      gets: `gets the name, tag and region that you want to verify${env.RIOT_CLIENT_ID ? ", and learns that you sign in here if you use Riot Sign-On" : ""}.`,
    },
    ...(env.DISCORD_CLIENT_ID
      ? [
          {
            name: "Discord",
            gets: "learns that you sign in here, if you sign in with Discord. It gives us your Discord id, name and email address.",
          },
        ]
      : []),
    ...(env.VAPID_PUBLIC_KEY
      ? [
          {
            name: "Google, Mozilla, Apple or Microsoft",
            gets: "passes our pushes to your browser, if you turn on push. It learns when we send them, but not what they say, because they're encrypted for your browser.",
          },
        ]
      : []),
    ...(env.TURNSTILE_SITE_KEY
      ? [
          {
            name: "Cloudflare Turnstile",
            gets: "checks your browser when you sign up, ask for an email or report something without an account, to keep bots out.",
          },
        ]
      : []),
  ];
}
