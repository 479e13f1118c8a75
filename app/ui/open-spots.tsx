/** The open spots of a team, side by side. `className` sets their appearance and size. */
export function OpenSpots({ count, className }: { count: number; className: string }) {
  return Array.from({ length: count }, (_, spot) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one open spot is like any other
    <span key={spot} className={`u ${className}`} />
  ));
}
