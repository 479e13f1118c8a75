/**
 * The ladder (docs/decisions/0036-the-ladder.md), from the ground up: each rung imports itself and the rungs listed in
 * its `below`. `app/routes`, `app/*.ts`, `server.ts` and `scripts` are above the ladder and may import every rung.
 */
const LADDER = [
  { rung: "app/game", below: [] },
  { rung: "db", below: ["app/game"] },
  { rung: "party/wire", below: ["app/game"] },
  { rung: "app/platform", below: ["db", "party/wire"] },
  { rung: "app/ui", below: ["app/game", "app/platform"] },
  { rung: "app/features", below: ["app/game", "db", "party/wire", "app/platform", "app/ui"] },
  { rung: "party", below: ["app/game", "db", "app/platform", "app/features"] },
];

const OURS = "^(app|db|party|scripts|tests)/|^server\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...LADDER.map(({ rung, below }) => ({
      name: `only-down-from-${rung.replace("/", "-")}`,
      comment: `${rung}/ may import itself${below.map((folder) => `, ${folder}/`).join("")} and packages.`,
      severity: "error",
      from: { path: `^${rung}/`, ...(rung === "party" && { pathNot: "^party/wire/" }) },
      to: { path: OURS, pathNot: `^(${[rung, ...below].join("|")})/` },
    })),
    {
      name: "only-what-a-feature-shares",
      comment: "Of another feature: rules.ts, schema.ts and shared/. Routes put features together.",
      severity: "error",
      from: { path: "^app/features/([^/]+)/" },
      to: { path: "^app/features/", pathNot: "^app/features/($1/|[^/]+/(rules\\.ts$|schema\\.ts$|shared/))" },
    },
    {
      name: "no-sql-in-routes",
      comment: "Routes call queries and commands of features.",
      severity: "error",
      from: { path: "^app/routes/" },
      to: { path: "^db/(schema|sql|statements|client)(/|\\.ts$)|(^|/)node_modules/drizzle-orm/" },
    },
    {
      name: "no-pages-in-rooms",
      comment: "Rooms import rules, queries and commands of features, and none of their components.",
      severity: "error",
      from: { path: "^party/" },
      to: { path: "^app/features/.+\\.tsx$" },
    },
    {
      name: "no-scripts-in-the-app",
      comment: "The Worker and the pages import nothing of scripts/ or tests/.",
      severity: "error",
      from: { path: "^(app|db|party)/|^server\\.ts$" },
      to: { path: "^(scripts|tests)/" },
    },
    {
      name: "no-tests-in-scripts",
      severity: "error",
      from: { path: "^scripts/" },
      to: { path: "^tests/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
  ],
  required: [
    {
      name: "routes-load-the-shell",
      comment: 'A route with a page says `import "~/shell";`: app/shell.ts says why.',
      severity: "error",
      module: { path: "^app/routes/([^/]+|[^/]+/route)\\.tsx$" },
      to: { path: "^app/shell\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    // Type imports count like all others.
    tsPreCompilationDeps: true,
  },
};
