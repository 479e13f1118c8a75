/**
 * Replaces zod's JSON Schema converter in the Worker (scripts/local/bundle.ts). Every zod schema has a method for it,
 * which is never called.
 */
function refuse(): never {
  throw new Error("The Worker has no JSON Schema converter: scripts/local/bundle.ts leaves zod's out.");
}

/** Runs for each schema; the method that it returns throws. */
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
