/** The answer to what a player just did. Success leaves by itself, an error stays until it is closed. */
export interface Toast {
  id: string;
  kind: "success" | "error";
  title: string;
  description?: string;
}
