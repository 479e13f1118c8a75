import type { RequestContext } from "../context";

/**
 * Hides properties of a loader's data from the page's script. They can be read while the page is rendered; the copy of
 * the data that the HTML contains for the browser lacks them. Use it for data of `Prerendered` elements. In the
 * response to a client-side navigation nothing is hidden.
 * @returns the same object
 */
export function hideFromScript<Data extends object, Name extends keyof Data>(
  { isDocument }: RequestContext,
  data: Data,
  ...names: Name[]
): Omit<Data, Name> & Partial<Pick<Data, Name>> {
  // Remix copies only enumerable properties.
  if (isDocument) for (const name of names) Object.defineProperty(data, name, { enumerable: false });
  return data;
}
