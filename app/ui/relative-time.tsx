/**
 * A moment, said relatively ("about 2 hours ago"), with the exact date as title.
 *
 * @param iso the moment, ISO 8601
 * @param ago its words, made on the server, so that both renderings agree
 * @param title the exact date by the reader's clock, its zone named; from the server as well
 */
export function RelativeTime({
  iso,
  ago,
  title,
  className,
}: {
  iso: string;
  ago: string;
  title: string;
  className?: string;
}) {
  return (
    <time dateTime={iso} title={title} className={className}>
      {ago}
    </time>
  );
}
