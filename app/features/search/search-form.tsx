import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/ui/button";
import { SEARCH_PAGE } from "./filters";

/** The search field and its button: a plain form that leads to the search page. */
export function SearchForm({
  q,
  onInput,
}: {
  /** The field's initial value. */
  q: string;
  /** Called with the field's value whenever it changes. */
  onInput?: (q: string) => void;
}) {
  const { location } = useNavigation();
  return (
    <Form method="get" action={SEARCH_PAGE} state role="search" className="flex gap-3">
      <label htmlFor="search" className="sr-only">
        Search
      </label>
      <input
        id="search"
        name="q"
        defaultValue={q}
        maxLength={80}
        placeholder="Name, title or words"
        autoComplete="off"
        enterKeyHint="search"
        autoFocus={!q}
        onInput={(event) => onInput?.(event.currentTarget.value)}
        className="control"
      />
      <Button id="search-button" variant="primary" busy={location?.pathname === SEARCH_PAGE} busyLabel="…">
        Search
      </Button>
    </Form>
  );
}
