import type { Operator } from "~/platform/operator";

/** Shown in place of the operator's name if the settings don't have one, as on a developer's machine. */
export const UNNAMED = "The operator of this site isn't named yet.";

/** A link that opens an email to an address. */
export const MailLink = ({ address }: { address: string }) => (
  <a className="link" href={`mailto:${address}`}>
    {address}
  </a>
);

/** The operator's name and postal address, as far as they are set. */
export function OperatorAddress({ name, address }: Operator) {
  if (!name && !address) return <p>{UNNAMED}</p>;
  return (
    <address className="mt-3 not-italic">
      {name && <strong className="block font-semibold">{name}</strong>}
      <span className="whitespace-pre-line">{address ?? "The postal address hasn't been added yet."}</span>
    </address>
  );
}

/** Says where to write: the operator's email address, or a notice that there is none. */
export function WriteTo({ address }: { address: string | null }) {
  return address ? (
    <p>
      Write to <MailLink address={address} />.
    </p>
  ) : (
    <p>The operator of this site hasn't given an email address yet.</p>
  );
}
