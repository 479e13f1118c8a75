import { parseAst } from "rollup/parseAst";
import remixConfig from "../../remix.config.js";

const { future } = remixConfig;

/** Properties with constant values, by name. */
type Constants = ReadonlyMap<string | undefined, boolean | undefined>;

/**
 * Properties that have the same value in each of our pages: Remix's settings, and those that it passes on to React
 * Router (`@remix-run/react/dist/esm/browser.js`). The packages read them at run time and keep code for other values.
 */
const SETTINGS: Constants = new Map(
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

/**
 * Properties of Remix and React Router that are always undefined or false in our pages: those that exist only while the
 * server renders, only in development, or only with a route's `clientLoader` (`mergeScripts` checks that we have none).
 */
const ABSENT: Constants = new Map([
  ["static", false],
  ["staticContext", undefined],
  ["renderMeta", undefined],
  ["serverHandoffString", undefined],
  ["abortDelay", undefined],
  ["serializeError", undefined],
  ["criticalCss", undefined],
  ["clientLoader", undefined],
  ["hasClientLoader", undefined],
  ["__remixHdrActive", undefined],
  // The number of deferred values that came in scripts of their own before `v3_singleFetch`.
  ["__remixContext.a", undefined],
]);

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

/** Finds esbuild's `__toESM` among scripts. @throws Error if there is none, which means that esbuild has changed */
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

interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Tells the bundler and the minifier what they can't see in a script: the values of constants, and which calls may be
 * left out when their result isn't used. Where a route imports a server module, Remix leaves an empty CommonJS module
 * and a call of `__toESM` that can be left out in this way.
 * @param isInterop whether an import leads to the script with `interop`
 * @param isFramework whether the script is React's or Remix's, and none of our own code
 */
export function foldConstants(
  code: string,
  interop: Interop,
  isInterop: (source: string) => boolean,
  isFramework = false,
): string {
  const edits: Edit[] = [];
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
      const value = SETTINGS.get(nameOf(node.property));
      if (value !== undefined) edits.push({ start, end, text: String(value) });
    } else if (type === "UnaryExpression" && node.operator === "typeof" && GLOBALS.has(nameOf(node.argument) ?? "")) {
      edits.push({ start, end, text: '"object"' });
    }
    if (isFramework) edits.push(...leaveOut(node, code));
  }
  // Edits within a passage that another edit replaces as a whole don't count.
  const isWithin = (edit: Edit, { start, end }: Edit) =>
    start <= edit.start && edit.start < end && edit.end <= end && edit.end - edit.start < end - start;
  const outer = edits.filter((edit) => !edits.some((other) => isWithin(edit, other)));
  outer.sort((a, b) => b.start - a.start || b.end - a.end);
  return outer.reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
}

/** The edits that make the minifier leave out the parts of Remix and React Router that our pages never run. */
function leaveOut(node: Node, code: string): Edit[] {
  const { type, start, end } = node;
  if (type === "MemberExpression" && !node.computed) {
    const property = nameOf(node.property);
    const name = [property, `${nameOf(node.object)}.${property}`].find((each) => ABSENT.has(each));
    return name === undefined ? [] : [{ start, end, text: `${ABSENT.get(name)}` }];
  }
  // The minifier leaves out an unused component only if it has no side effects. Setting `displayName`, which is for
  // React's developer tools, is one. So is a call of `forwardRef`, because it lost its mark as pure when esbuild
  // minified the package.
  if (type === "AssignmentExpression" && nameOf((node.left as Node).property) === "displayName") {
    return [{ start, end, text: "0" }];
  }
  if (type === "CallExpression" && nameOf((node.callee as Node).property) === "forwardRef") {
    return [{ start, end: start, text: "/*#__PURE__*/" }];
  }
  if (type === "VariableDeclarator" && node.init && (node.id as Node).type === "ObjectPattern") {
    const { properties, ...pattern } = node.id as Node & { properties: Node[] };
    const isAbsent = ({ key, value }: Node) => ABSENT.has(nameOf(key)) && nameOf(value) !== undefined;
    const absent = properties.filter(isAbsent);
    if (absent.length === 0 || properties.some((each) => each.type === "RestElement")) return [];
    const kept = properties.filter((each) => !isAbsent(each)).map((each) => code.slice(...range(each)));
    const named = absent.map(({ key, value }) => `,${nameOf(value)}=${ABSENT.get(nameOf(key))}`);
    return [
      { start: pattern.start, end: pattern.end, text: `{${kept}}` },
      { start: end, end, text: named.join("") },
    ];
  }
  if (type === "FunctionDeclaration") {
    const body = node.body as Node;
    const text = code.slice(...range(body));
    // With `v3_singleFetch`, loaders' data is never an object made by `defer`.
    if (/typeof \w+\.resolveData=="function"\}$/.test(text) && text.startsWith("{let")) {
      return [{ start: body.start, end: body.end, text: "{return!1}" }];
    }
    // With `v3_singleFetch`, handlers always get the function that fetches all data at once.
    const last = nameOf((node.params as Node[])[2]);
    const first = `{if(typeof ${last}=="function")return await ${last}();`;
    if (text.startsWith(first)) return [{ start: body.start + first.length, end: body.end - 1, text: "" }];
  }
  return [];
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
