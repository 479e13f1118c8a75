import { escapeMarkup } from "../escape";

/** An entry of the sitemap. */
interface SitemapPage {
  /** The full URL. */
  address: string;
  /** When its content last changed. */
  lastModified?: Date;
}

/**
 * Renders a sitemap according to https://www.sitemaps.org/protocol.html: UTF-8, every value escaped.
 * @returns the XML document
 */
export function sitemapXml(pages: readonly SitemapPage[]): string {
  const urls = pages.map(({ address, lastModified }) => {
    const modified = lastModified ? `<lastmod>${lastModified.toISOString()}</lastmod>` : "";
    return `  <url><loc>${escapeMarkup(address)}</loc>${modified}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("")}</urlset>
`;
}
