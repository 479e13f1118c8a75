/**
 * What the Worker has in place of zod's writer of JSON Schema (scripts/local/bundle.ts). Every schema of zod's has a
 * method for it, which nothing calls.
 */
function refuse(): never {
  throw new Error("The Worker has no JSON Schema: scripts/local/bundle.ts leaves zod's out.");
}

/** Called to make the method, which is what refuses. */
export const createToJSONSchemaMethod = () => refuse;
export const createStandardJSONSchemaMethod = () => refuse;

export {
  refuse as extractDefs,
  refuse as finalize,
  refuse as handleUnrepresentable,
  refuse as initializeContext,
  refuse as process,
  refuse as processSchema,
};
