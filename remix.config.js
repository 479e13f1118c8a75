const isProduction = process.env.NODE_ENV === "production";

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  server: "./server.ts",
  serverBuildPath: "build/index.js",
  serverModuleFormat: "esm",
  serverPlatform: "neutral",
  serverConditions: ["workerd", "worker", "browser"],
  serverMainFields: ["browser", "module", "main"],
  // Everything is bundled into one Worker module, except these two families, which the runtime provides. In production,
  // scripts/local/bundle.ts bundles the packages.
  serverDependenciesToBundle: isProduction ? [] : [/^(?!(cloudflare|node):).*$/u],
  // brackets-manager needs `events`; the second half of the production build uses workerd's own.
  serverNodeBuiltinsPolyfill: { modules: { events: true } },
  ignoredRouteFiles: ["**/.*"],
  postcss: true,
  tailwind: false,
  watchPaths: ["./db/**/*", "./party/**/*"],
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
