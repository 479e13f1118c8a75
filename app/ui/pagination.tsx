import { ButtonLink } from "./button";

/** The way to the next page of a list. Keyset pages have no numbers: there is only further. */
export function NextPageLink({ to, label = "Next page" }: { to: string; label?: string }) {
  return (
    <div className="flex justify-center py-7">
      <ButtonLink to={to} prefetch="intent">
        {label}
      </ButtonLink>
    </div>
  );
}
