/** Why a step of the account flows was refused; `field` is the form field concerned. */
export interface AuthFailure {
  ok: false;
  status: 400 | 401 | 403 | 429;
  error: string;
  field?: "email" | "password" | "code";
  /** Seconds, with 429. */
  retryAfter?: number;
  /** A link beside the sentence to where the player can go on. */
  next?: { to: string; label: string };
}

export type AuthResult<T = object> = ({ ok: true } & T) | AuthFailure;
