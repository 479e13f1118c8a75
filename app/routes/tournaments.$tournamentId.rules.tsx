import type { MetaFunction } from "@remix-run/cloudflare";
import { HowItIsPlayed } from "~/features/tournaments/page/how-it-is-played";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import "~/shell";

export const meta: MetaFunction = ({ matches }) =>
  matches.find(({ id }) => id === "routes/tournaments.$tournamentId")?.meta ?? [];

export default function RulesTab() {
  const { tournament } = useTournament();
  return <HowItIsPlayed tournament={tournament} />;
}
