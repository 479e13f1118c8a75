/** The refusal of an address or a Riot account that a running suspension keeps from a new account. */
export const UPHELD = {
  status: 403,
  error: "This e-mail address or Riot account can't be used here at the moment. If you don't know why, write to us.",
  next: { to: "/contact", label: "Contact" },
};
