/** The feedback on a player's last action. A success disappears by itself, an error stays until it is closed or its page is left. */
export interface Toast {
  id: string;
  kind: "success" | "error";
  title: string;
  description?: string;
  /** Whether it is a form's refusal, which the form shows as well. */
  atForm?: boolean;
}
