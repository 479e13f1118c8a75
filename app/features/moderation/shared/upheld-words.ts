/** The refusal of an email address or a Riot account of an account that was erased while suspended. */
export const UPHELD = {
  status: 403,
  error: "This email address or Riot account can't be used here right now. Don't know why? Write to us.",
  next: { to: "/contact", label: "Contact" },
};
