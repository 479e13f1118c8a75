/** @type {import('@remix-run/dev').AppConfig} */
export default {
  server: "./server.ts",
  serverBuildPath: "build/index.js",
  serverModuleFormat: "esm",
  serverPlatform: "neutral",
  serverConditions: ["workerd", "worker", "browser"],
  serverMainFields: ["browser", "module", "main"],
  // Everything is bundled into the one Worker module; the runtime itself provides these two families.
  serverDependenciesToBundle: [/^(?!(cloudflare|node):).*$/u],
  serverMinify: process.env.NODE_ENV === "production",
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
