/**
 * The ladder of docs/decisions/0036-the-ladder.md, from the ground up: each rung imports itself and what its line names.
 * The folders are patterns over paths from the root.
 */
const LADDER = [
  { rung: "app/game", may: [] },
  { rung: "db", may: ["app/game"] },
  { rung: "party/wire", may: ["app/game"] },
  { rung: "app/platform", may: ["db", "party/wire"] },
  { rung: "app/ui", may: ["app/game", "app/platform"] },
  { rung: "app/features", may: ["app/game", "db", "party/wire", "app/platform", "app/ui"] },
  { rung: "party", may: ["app/game", "db", "app/platform", "app/features"] },
];

const OURS = "^(app|db|party|scripts|tests)/|^server\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...LADDER.map(({ rung, may }) => ({
      name: `${rung}-looks-down`,
      comment: `${rung}/ may import ${["itself", ...may.map((folder) => `${folder}/`)].join(", ")}, and nothing else of ours.`,
      severity: "error",
      from: { path: `^${rung}/`, ...(rung === "party" && { pathNot: "^party/wire/" }) },
      to: { path: OURS, pathNot: `^(${[rung, ...may].join("|")})/` },
    })),
    {
      name: "features-offer-what-is-shared",
      comment: "Of another feature: its rules.ts, its schema.ts and its shared/. A route composes features.",
      severity: "error",
      from: { path: "^app/features/([^/]+)/" },
      to: { path: "^app/features/", pathNot: "^app/features/($1/|[^/]+/(rules\\.ts$|schema\\.ts$|shared/))" },
    },
    {
      name: "scripts-stay-outside",
      comment: "What is deployed imports nothing of scripts/ and tests/; scripts/ imports nothing of tests/.",
      severity: "error",
      from: { path: "^(app|db|party|scripts)/|^server\\.ts$" },
      to: { path: "^(scripts|tests)/", pathNot: "^scripts/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
