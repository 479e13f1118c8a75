import { type MutableRefObject, type SyntheticEvent, useEffect, useId, useRef, useState } from "react";
import { SEARCH_RESULTS } from "~/features/search/filters";
import type { SearchResults as Results } from "~/features/search/results";
import { SearchForm } from "~/features/search/search-form";
import { SearchResults } from "~/features/search/search-results";
import { useBrowserLayoutEffect } from "~/ui/hooks/use-browser-layout-effect";
import { CloseIcon } from "~/ui/icons";
// Every route with a page imports the shell. If this dialog didn't, esbuild would split the shell's file for it.
import "./shell";

/** The pause in typing after which the search starts, in milliseconds. */
const PAUSE = 250;

const NOTHING: Results = { q: "", groups: [] };

/**
 * The search, in a dialog over the current page. The results follow the typed words, Enter leads to the search page,
 * and closing returns the focus.
 */
export function SearchDialog({
  onClose,
  typed,
}: {
  onClose: () => void;
  /** The letters typed while the dialog was opening. The dialog takes them over, and sets this to undefined. */
  typed: MutableRefObject<string | undefined>;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [q, setQ] = useState("");
  const found = useResults(q);

  useBrowserLayoutEffect(() => {
    const dialog = ref.current;
    const field = dialog?.querySelector("input");
    dialog?.showModal();
    field?.focus();
    if (field && typed.current) {
      field.value = typed.current;
      setQ(typed.current);
    }
    typed.current = undefined;
    return () => dialog?.close();
  }, [typed]);

  function handleClose({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
    // `close` fires late: by then the dialog may be open again, in strict mode.
    if (!currentTarget.open) onClose();
  }

  return (
    <dialog ref={ref} aria-labelledby={id} className="route-dialog" onClose={handleClose}>
      <div className="mb-[19px] flex items-center justify-between gap-4">
        <h2 id={id} className="font-display text-title-phone md:text-[1.625rem] md:leading-8">
          Search
        </h2>
        <button
          type="button"
          aria-label="Close"
          title="Close"
          onClick={onClose}
          className="-my-2 -mr-3 grid size-11 flex-none cursor-pointer place-items-center rounded-control text-muted hover:bg-raised hover:text-text"
        >
          <CloseIcon className="size-[22px]" />
        </button>
      </div>
      <SearchForm q="" onInput={setQ} />
      {found === null ? (
        <p role="alert" className="pt-5 text-muted">
          Search didn't answer. Press Enter to open the search page.
        </p>
      ) : (
        <SearchResults {...found} as="h3" />
      )}
    </dialog>
  );
}

/**
 * Searches once the player pauses. The previous results stay until the new ones arrive. Doesn't use a fetcher, whose
 * failure would replace the page below the dialog.
 * @returns null if the search failed
 */
function useResults(typed: string): Results | null {
  const [found, setFound] = useState<Results | null>(NOTHING);
  const q = typed.trim();
  useEffect(() => {
    const controller = new AbortController();
    async function load() {
      try {
        const { signal } = controller;
        const response = await fetch(`${SEARCH_RESULTS}?${new URLSearchParams({ q })}`, { signal });
        if (!response.ok) throw new Error(`The search answered ${response.status}.`);
        setFound((await response.json()) as Results);
      } catch {
        if (!controller.signal.aborted) setFound(null);
      }
    }
    const timer = q ? setTimeout(load, PAUSE) : undefined;
    if (!q) setFound(NOTHING);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q]);
  return found;
}
