import { redirect } from "@remix-run/cloudflare";
import { settingsAddress } from "~/features/settings/subjects";

/**
 * Leads password managers to the page for changing the password (https://w3c.github.io/webappsec-change-password-url/).
 */
export const loader = () => redirect(settingsAddress("password"));
