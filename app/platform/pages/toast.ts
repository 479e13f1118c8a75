/**
 * The feedback on a player's last action. A success disappears by itself. An error stays until the player closes it or
 * leaves its page, or a newer toast replaces it.
 */
export interface Toast {
  id: string;
  kind: "success" | "error";
  title: string;
  description?: string;
  /** Whether it reports a form's error, which the form shows as well. */
  atForm?: boolean;
}
