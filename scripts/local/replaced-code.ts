/** The files of brackets-manager that the Worker leaves out, with the class in each. */
const BRACKET_PARTS = [
  ["get", "Get"],
  ["find", "Find"],
  ["delete", "Delete"],
] as const;

/**
 * Pieces of packages' code that the Worker's bundle replaces, by file in `node_modules`. The build fails unless each
 * piece is there exactly once, so an upgrade can't silently undo a replacement. The figures are in
 * docs/decisions/0077-cheaper-pages.md, unless another decision is named.
 */
export const REPLACED: Record<string, [text: string, replacement: string][]> = {
  // React Router sorts all routes and compiles their patterns for each match, several times a page, and then tries one
  // route after the other. It now remembers the order, the patterns, and which route a URL has matched.
  "@remix-run/router/dist/router.js": [
    [
      `let branches = flattenRoutes(routes);
  rankRouteBranches(branches);`,
      `let known = knownRoutes.get(routes);
  if (!known) {
    const branches = flattenRoutes(routes);
    rankRouteBranches(branches);
    known = { branches, hits: new Map() };
    knownRoutes.set(routes, known);
  }
  let { branches, hits } = known;`,
    ],
    [
      `for (let i = 0; matches == null && i < branches.length; ++i) {`,
      `const hit = (allowPartial ? "partial " : "whole ") + decoded;
  const first = hits.get(hit) || 0;
  for (let i = first; matches == null && i < branches.length; ++i) {`,
    ],
    [
      `matches = matchRouteBranch(branches[i], decoded, allowPartial);`,
      `matches = matchRouteBranch(branches[i], decoded, allowPartial);
    if (matches && first === 0 && decoded.length < 200) {
      if (hits.size === 1000) hits.clear();
      hits.set(hit, i);
    }`,
    ],
    ["function matchRoutesImpl(", "const knownRoutes = new WeakMap();\nfunction matchRoutesImpl("],
    ["compilePath(pattern.path,", "compileOnce(pattern.path,"],
    [
      "function compilePath(",
      `const knownPaths = new Map();
      function compileOnce(path, caseSensitive, end) {
        const key = caseSensitive + "," + end + "," + path;
        let known = knownPaths.get(key);
        if (!known) {
          known = compilePath(path, caseSensitive, end);
          if (knownPaths.size < 1000) knownPaths.set(key, known);
        }
        return known;
      }
      function compilePath(`,
    ],
  ],
  // React encodes each name, attribute and text by itself and hands the page on in pieces of 512 bytes. It now collects
  // them as one string and encodes that (docs/decisions/0079-cheaper-data.md).
  "react-dom/cjs/react-dom-server.browser.production.min.js": [
    [
      "function p(a,b){if(0!==b.length)if(512<b.length)0<n&&(a.enqueue(new Uint8Array(l.buffer,0,n)),l" +
        "=new Uint8Array(512),n=0),a.enqueue(b);else{var c=l.length-n;c<b.length&&(0===c?a.enqueue(l):(l" +
        ".set(b.subarray(0,c),n),a.enqueue(l),b=b.subarray(c)),l=new Uint8Array(512),n=0);l.set(b,n);n+=" +
        "b.length}}function t(a,b){p(a,b);return!0}function ba(a){l&&0<n&&(a.enqueue(new Uint8Array(l.bu" +
        "ffer,0,n)),l=null,n=0)}",
      'function p(a,b){l+=b}function t(a,b){l+=b;return!0}function ba(a){l&&(a.enqueue(ca.encode(l)),l="")}',
    ],
    ["l=new Uint8Array(512);n=0;try{", 'l="";try{'],
    ["l=new Uint8Array(512);n=0;var F=", 'l="";var F='],
    [
      "function u(a){return ca.encode(a)}function w(a){return ca.encode(a)}",
      'function u(a){return""+a}function w(a){return a}',
    ],
  ],
  // For each page, Remix makes React Router's routes from its own, and React Router converts all of them. Neither
  // depends on the request.
  "@remix-run/react/dist/esm/server.js": [
    [
      "let routes = createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode);",
      `let routes = knownServerRoutes.get(manifest.routes);
  if (!routes) {
    routes = createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode);
    knownServerRoutes.set(manifest.routes, routes);
  }`,
    ],
    ["function RemixServer(", "const knownServerRoutes = new WeakMap();\nfunction RemixServer("],
  ],
  "react-router-dom/server.mjs": [
    [
      `let manifest = {};
  let dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);`,
      `let known = knownDataRoutes.get(routes);
  if (!known) {
    const manifest = {};
    const dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);
    known = { manifest, dataRoutes };
    knownDataRoutes.set(routes, known);
  }
  let { manifest, dataRoutes } = known;`,
    ],
    ["function createStaticRouter(", "const knownDataRoutes = new WeakMap();\nfunction createStaticRouter("],
  ],
  // Remix writes the loaders' data into the page as a double-quoted string, although the data is full of double quotes.
  // In a single-quoted string they need no backslashes (docs/decisions/0075-less-of-remix-and-of-lfg.md).
  "@remix-run/react/dist/esm/single-fetch.js": [
    ["escapeHtml(JSON.stringify(value))", "quote(value)"],
    [
      "function StreamTransfer(",
      String.raw`function quote(text) {
        const plain = (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part);
        return "'" + escapeHtml(JSON.stringify(text).slice(1, -1).replace(/\\.|'/g, plain)) + "'";
      }
      function StreamTransfer(`,
    ],
  ],
  // Remix writes its routes into the page with spaces and line breaks.
  "@remix-run/react/dist/esm/components.js": [
    [
      "JSON.stringify(getPartialManifest(manifest, router), null, 2)",
      "JSON.stringify(getPartialManifest(manifest, router))",
    ],
  ],
  // The client defines each cell twice, as a property by number and as one by name. A row is now an array that knows
  // its columns' names; Drizzle reads it by number, and names its cells only for queries in plain SQL.
  "@libsql/hrana-client/lib-esm/result.js": [
    [
      `const row = {};
    // make sure that the "length" property is not enumerable
    Object.defineProperty(row, "length", { value: values.length });
    for (let i = 0; i < values.length; ++i) {
        const value = valueFromProto(values[i], intMode);
        Object.defineProperty(row, i, { value });
        const colName = colNames[i];
        if (colName !== undefined && !Object.hasOwn(row, colName)) {
            Object.defineProperty(row, colName, { value, enumerable: true, configurable: true, writable: true });
        }
    }
    return row;`,
      `const row = values.map((value) => valueFromProto(value, intMode));
    row.columns = colNames;
    return row;`,
    ],
  ],
  "drizzle-orm/libsql/session.js": [
    [
      `extractRawAllValueFromBatchResult(result) {
    return result.rows;`,
      `extractRawAllValueFromBatchResult(result) {
    return result.rows.map(normalizeRow);`,
    ],
    [
      `extractRawGetValueFromBatchResult(result) {
    return result.rows[0];`,
      `extractRawGetValueFromBatchResult(result) {
    return result.rows[0] && normalizeRow(result.rows[0]);`,
    ],
    [
      `return Object.keys(obj).reduce((acc, key) => {
    if (Object.prototype.propertyIsEnumerable.call(obj, key)) {
      acc[key] = obj[key];
    }
    return acc;
  }, {});`,
      `const named = {};
  obj.forEach((value, i) => {
    const name = obj.columns[i];
    if (name !== undefined && !Object.hasOwn(named, name)) named[name] = value;
  });
  return named;`,
    ],
  ],
  // Drizzle checks the class of each value and column many times. It walks up the class hierarchy by hand, because a
  // program may hold several copies of Drizzle. The Worker has one, so `instanceof` alone is enough.
  "drizzle-orm/entity.js": [
    [`if (!value || typeof value !== "object") {`, "return value instanceof type;\n  if (!value) {"],
  ],
  // Drizzle copies its settings for each expression within another, although they hardly ever change.
  "drizzle-orm/sql/sql.js": [
    // Postgres's columns, for an enum that SQLite doesn't have: 1 kB of the Worker.
    ['import { isPgEnum } from "../pg-core/columns/enum.js";', "const isPgEnum = () => false;"],
    [
      "const config = Object.assign({}, _config, {",
      `const config = _config.paramStartIndex && (_config.inlineParams || !this.shouldInlineParams) ? _config : Object.assign({}, _config, {`,
    ],
    [
      `return this.buildQueryFromSourceParams(chunk.queryChunks, {
          ...config,
          inlineParams: inlineParams || chunk.shouldInlineParams
        });`,
      `return this.buildQueryFromSourceParams(chunk.queryChunks, inlineParams || !chunk.shouldInlineParams ? config : {
          ...config,
          inlineParams: true
        });`,
    ],
  ],
  // Unused parts of the package: we read the snapshot ourselves (app/features/tournaments/bracket), and delete it as a
  // whole.
  "brackets-manager/dist/index.js": BRACKET_PARTS.map(([file, name]) => [
    `var ${file}_1 = require("./${file}");
Object.defineProperty(exports, "${name}", { enumerable: true, get: function () { return ${file}_1.${name}; } });`,
    "",
  ]),
  "brackets-manager/dist/manager.js": BRACKET_PARTS.flatMap(([file, name]): [string, string][] => [
    [`const ${file}_1 = require("./${file}");`, ""],
    [`this.${file} = new ${file}_1.${name}(this.storage);`, ""],
  ]),
  // In a method that we never call.
  "brackets-manager/dist/base/updater.js": [
    ['const get_1 = require("../get");', ""],
    ["const get = new get_1.Get(this.storage);", 'throw Error("The Worker has no brackets-manager/dist/get.js.");'],
    ["const currentSeeding = await get.seeding(stageId);", "const currentSeeding = [];"],
  ],
  // A stored scroll position only fits a page whose items are all laid out
  // (docs/decisions/0078-smaller-fonts-and-cards-out-of-view.md).
  "@remix-run/react/dist/esm/scroll-restoration.js": [
    [
      "window.scrollTo(0, storedY);",
      'document.documentElement.dataset.settled = "true";\n        window.scrollTo(0, storedY);',
    ],
  ],
};
