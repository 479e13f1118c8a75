/** The highest entry fee or prize pool, in cents: $100,000. */
export const MAX_CENTS = 100_000_00;

/**
 * Parses an amount in dollars into cents: "12", "12.5", "$12.50". Works on the digits as typed, so it never rounds.
 * @returns null if the text isn't an amount, has more than two decimals, or exceeds the maximum
 */
export function parseCents(text: string): number | null {
  const [, dollars, decimals = ""] = /^\$?\s*(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (dollars === undefined) return null;
  const cents = Number(dollars + decimals.padEnd(2, "0"));
  return cents <= MAX_CENTS ? cents : null;
}

/** Formats cents for a form field: "12.50". */
export const amount = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats cents for display: "$1,250.00". */
export const money = (cents: number): string => dollars.format(cents / 100);
