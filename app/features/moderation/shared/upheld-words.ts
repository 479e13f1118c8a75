/** The refusal of an address or a Riot account that belongs to a suspended, erased account. */
export const UPHELD = {
  status: 403,
  error: "This email address or Riot account can't be used here right now. Don't know why? Write to us.",
  next: { to: "/contact", label: "Contact" },
};
