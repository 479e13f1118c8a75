/**
 * The placeholder of a row that is loading, in the shape of a post: two banners and three bars. Decoration; it doesn't
 * shimmer.
 */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <div aria-hidden="true" className={`border-t border-line md:flex md:gap-7 ${className}`}>
      <div className="flex w-[200px] flex-none gap-[5px]">
        <span className="u bg-skeleton forced-colors:border" />
        <span className="u bg-skeleton forced-colors:border" />
      </div>
      <div className="flex-1 space-y-[9px] pt-4 pb-5">
        <div className="h-4 w-[72%] rounded-badge bg-skeleton forced-colors:border" />
        <div className="h-3 w-[48%] rounded-badge bg-skeleton forced-colors:border" />
        <div className="h-3 w-[90%] rounded-badge bg-skeleton forced-colors:border" />
      </div>
    </div>
  );
}
