import { type Figures, type Section, table } from "./figures";

const COLUMNS = ["rounds", "acknowledged actions", "lost", "doubled", "out of order", "broken", "unexpected"];

/** Reports what was lost, doubled or out of order on sites that failed by plan. */
export function reportFaults(figures: Figures): Section {
  const seeds = figures.groups(/^rounds$/);
  const rows = seeds.map((seed) => [seed, ...COLUMNS.map((column) => figures.show(seed, column))]);
  return {
    text: `## Faults

Twelve players use a site whose Worker, database, connections, email and push services fail by plan, and each seed gives
a different plan. A round is six to fourteen actions that begin together, with a fault in two out of three rounds. Then
everything that was acknowledged is compared with the database and with each reader's view ([decision
0072](decisions/0072-faults-by-seed.md)). *Broken* means counters that differ from a recount, winners that are missing
from their next match, and emails and pushes that never leave; *unexpected* means answers and errors that no fault
explains.

${table(["plan", ...COLUMNS], rows)}
`,
    plots: {},
  };
}
