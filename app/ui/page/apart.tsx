import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";

declare global {
  interface Window {
    /** Loads the parts that the server has put into the document. */
    loadShownParts?: () => Promise<unknown>;
  }
}

const loaders = new Map<string, () => Promise<unknown>>();

/**
 * Makes a component whose script the browser loads only with pages that show it. The server renders the component with
 * the page. The browser's entry waits for the component's script before it hydrates such a page, so that everything
 * hydrates together: React drops the HTML in a `Suspense` if anything above it changes before it is hydrated (error
 * 421). Pages opened from another page show `fallback` while the script loads.
 * @param name marks the component's place in the document
 * @param onServer the component; undefined in browsers, where its module is empty
 * @param load imports the component's script
 */
export function loadApart<Props extends object>(
  name: string,
  onServer: ComponentType<Props> | undefined,
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode,
): ComponentType<Props> {
  let loaded = onServer;
  const loadOnce = async () => {
    loaded = await load();
    return { default: loaded };
  };
  // React's type of a lazy component adds `ref` to props that it doesn't know.
  const Lazy = lazy(loadOnce) as unknown as ComponentType<Props>;
  if (!onServer) {
    loaders.set(name, loadOnce);
    // Not an export: the entry shares no file with the pages, so that browsers keep it across deployments.
    window.loadShownParts = loadShownParts;
  }
  return (props) => {
    const [Part] = useState(() => loaded);
    return (
      <div data-apart={name} className="contents">
        {Part ? (
          <Part {...props} />
        ) : (
          <Suspense fallback={fallback}>
            <Lazy {...props} />
          </Suspense>
        )}
      </div>
    );
  };
}

async function loadShownParts(): Promise<void> {
  const shown = [...document.querySelectorAll<HTMLElement>("[data-apart]")].map(({ dataset }) => dataset.apart ?? "");
  // A part that can't be loaded now is requested again when it renders.
  await Promise.allSettled(shown.map((name) => loaders.get(name)?.()));
}
