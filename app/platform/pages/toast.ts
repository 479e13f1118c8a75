/** The feedback on a player's last action. A success disappears by itself, an error stays until it is closed. */
export interface Toast {
  id: string;
  kind: "success" | "error";
  title: string;
  description?: string;
}
