/** The most that an entry fee or a prize pool may be, in cents: $100,000. */
export const MAX_CENTS = 100_000_00;

/**
 * Cents of an amount in dollars as it was typed: "12", "12.5", "$12.50". Its digits are put together as they stand; nothing is
 * rounded.
 * @returns null for what is no amount, has more than two decimals, or is more than there may be
 */
export function parseCents(text: string): number | null {
  const [, dollars, decimals = ""] = /^\$?\s*(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (dollars === undefined) return null;
  const cents = Number(dollars + decimals.padEnd(2, "0"));
  return cents <= MAX_CENTS ? cents : null;
}

/** Cents as a form holds them: "12.50". */
export const amount = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Cents as players read them: "$1,250.00". */
export const money = (cents: number): string => dollars.format(cents / 100);
