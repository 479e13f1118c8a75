import { parseAst } from "rollup/parseAst";
import remixConfig from "../../remix.config.js";

const { future } = remixConfig;

/**
 * Properties that have the same value in each of our pages: Remix's settings, and those that it passes on to React
 * Router (`@remix-run/react/dist/esm/browser.js`). The packages ask for them at run time and keep the code for both.
 */
const PROPERTIES = new Map<string | undefined, boolean | undefined>(
  Object.entries({
    ...future,
    // `app/entry.server.tsx` turns it off for some pages.
    v3_lazyRouteDiscovery: undefined,
    v7_fetcherPersist: future?.v3_fetcherPersist,
    v7_relativeSplatPath: future?.v3_relativeSplatPath,
    v7_skipActionErrorRevalidation: future?.v3_singleFetch,
    v7_normalizeFormMethod: true,
    v7_partialHydration: true,
    v7_prependBasename: true,
    v7_startTransition: true,
    isSpaMode: false,
  }),
);

/** Objects that every browser has. */
const GLOBALS = new Set(["window", "document"]);

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** esbuild's function that makes a CommonJS module look like an ES module (`__toESM`). */
interface Interop {
  file: string;
  exported: string;
}

/** Finds that function among scripts. @throws Error if there is none, because esbuild has changed then */
export function findInterop(scripts: Iterable<[file: string, code: string]>): Interop {
  for (const [file, code] of scripts) {
    if (code.length > 2_000 || !code.includes("getOwnPropertyNames")) continue;
    const nodes = [...nodesOf(parse(code))];
    const declaration = nodes.find(
      ({ type, init }) =>
        type === "VariableDeclarator" && init && /\.__esModule/.test(code.slice(...range(init as Node))),
    );
    const specifier = nodes.find(
      ({ type, local }) => type === "ExportSpecifier" && nameOf(local) === nameOf(declaration?.id),
    );
    if (specifier) return { file, exported: nameOf(specifier.exported) as string };
  }
  throw new Error("No script has esbuild's __toESM.");
}

/**
 * Tells the bundler and the minifier what they can't see in a script: the values of constants, and which calls may be
 * left out when their result isn't used. Of a module of the server that a route imports, Remix leaves an empty CommonJS
 * module and such a call.
 * @param isInterop whether an import leads to the script with `interop`
 */
export function foldConstants(code: string, interop: Interop, isInterop: (source: string) => boolean): string {
  const edits: { start: number; end: number; text: string }[] = [];
  const interopNames = new Set<string>();
  for (const node of nodesOf(parse(code))) {
    const { type, start, end } = node;
    if (type === "ImportDeclaration" && isInterop((node.source as { value: string }).value)) {
      for (const { imported, local } of node.specifiers as Node[]) {
        if (nameOf(imported) === interop.exported) interopNames.add(nameOf(local) as string);
      }
    } else if (type === "CallExpression" && interopNames.has(nameOf(node.callee) ?? "")) {
      const [module] = node.arguments as Node[];
      for (const call of [node, module]) {
        if (call?.type === "CallExpression") edits.push({ start: call.start, end: call.start, text: "/*#__PURE__*/" });
      }
    } else if (type === "MemberExpression" && !node.computed) {
      const value = PROPERTIES.get(nameOf(node.property));
      if (value !== undefined) edits.push({ start, end, text: String(value) });
    } else if (type === "UnaryExpression" && node.operator === "typeof" && GLOBALS.has(nameOf(node.argument) ?? "")) {
      edits.push({ start, end, text: '"object"' });
    }
  }
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
}

const parse = (code: string) => parseAst(code) as unknown as Node;

const range = ({ start, end }: Node): [number, number] => [start, end];

/** The name of an identifier. */
const nameOf = (node: unknown): string | undefined => (node as { name?: string } | undefined)?.name;

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") yield* nodesOf(child);
    }
  }
}
