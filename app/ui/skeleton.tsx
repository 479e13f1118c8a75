/** A row that is still on its way, in the shape of a post: two banners and three bars. Decoration; it doesn't shimmer. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <div aria-hidden="true" className={`flex gap-6 border-t border-line ${className}`}>
      <div className="flex w-[200px] flex-none gap-[5px]">
        <span className="u bg-skeleton" />
        <span className="u bg-skeleton" />
      </div>
      <div className="flex-1 space-y-2.5 pt-4 pb-5">
        <div className="h-4 w-3/4 rounded-badge bg-skeleton" />
        <div className="h-3 w-1/2 rounded-badge bg-skeleton" />
        <div className="h-3 w-11/12 rounded-badge bg-skeleton" />
      </div>
    </div>
  );
}
