import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { SearchForm } from "~/features/search/search-form";
import { SearchResults } from "~/features/search/search-results";
import { privatePage } from "~/platform/pages/page-meta";
import { useSearchKey } from "~/ui/forms/use-search-key";
import type { loader } from "./load-search.server";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Search");

export { loader } from "./load-search.server";

export default function SearchPage() {
  const found = useLoaderData<typeof loader>();
  return (
    <DashboardPage title="Search">
      <div className="max-w-[760px]">
        <SearchForm key={useSearchKey(found.q)} q={found.q} />
        <SearchResults {...found} />
      </div>
    </DashboardPage>
  );
}
