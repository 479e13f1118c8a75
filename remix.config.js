const isProduction = process.env.NODE_ENV === "production";

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  server: "./server.ts",
  serverBuildPath: "build/index.js",
  serverModuleFormat: "esm",
  serverPlatform: "neutral",
  serverConditions: ["workerd", "worker", "browser"],
  serverMainFields: ["browser", "module", "main"],
  // Everything ends up in the one Worker module, but for these two families, which the runtime itself provides. In production
  // scripts/local/bundle.ts brings the packages in.
  serverDependenciesToBundle: isProduction ? [] : [/^(?!(cloudflare|node):).*$/u],
  // brackets-manager asks for it; the second half of the production build takes workerd's own.
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
