/** Why something of the account flows could not be done; `field` says where it belongs in the form. */
export interface AuthFailure {
  ok: false;
  status: 400 | 401 | 403 | 429;
  error: string;
  field?: "email" | "password" | "code";
  /** Seconds, with 429. */
  retryAfter?: number;
  /** Where the player goes on instead: a link beside the sentence. */
  next?: { to: string; label: string };
}

export type AuthResult<T = object> = ({ ok: true } & T) | AuthFailure;
