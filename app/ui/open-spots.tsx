/** So many places of a team that nobody has taken, side by side. `className` says how they look and what they fit. */
export function OpenSpots({ count, className }: { count: number; className: string }) {
  return Array.from({ length: count }, (_, spot) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one open spot is like the other
    <span key={spot} className={`u ${className}`} />
  ));
}
