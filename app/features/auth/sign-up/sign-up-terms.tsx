/** The small print of the sign-up. The links open a new tab, so that nothing typed into the form is lost. */
export function SignUpTerms() {
  return (
    <p className="mt-5 text-meta text-muted">
      You need to be at least 13, or 16 where your country requires it. By signing up you agree to our{" "}
      {link("/terms", "Terms")} and {link("/rules", "Code of conduct")}. {link("/privacy", "Privacy")} says what we
      keep. All three open in a new tab.
    </p>
  );
}

const link = (address: string, name: string) => (
  <a className="link" href={address} target="_blank" rel="noopener">
    {name}
  </a>
);
