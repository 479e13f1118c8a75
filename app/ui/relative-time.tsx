/**
 * A moment in relative form ("about 2 hours ago"), with the exact date as its title.
 *
 * @param iso the moment, ISO 8601
 * @param ago the relative form, made on the server so that both renders agree
 * @param title the exact date on the reader's clock, with its zone; also from the server
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
