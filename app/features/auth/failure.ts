/** Why a step of the account flows was refused; `field` is the form field concerned. */
export interface AuthFailure {
  ok: false;
  status: 400 | 401 | 403 | 429;
  error: string;
  field?: "email" | "password" | "code";
  /** Seconds to wait, if the status is 429. */
  retryAfter?: number;
  /** A link beside the error, to the page where the player can continue. */
  next?: { to: string; label: string };
}

export type AuthResult<T = object> = ({ ok: true } & T) | AuthFailure;
