import * as React from "react";
import * as runtime from "react/jsx-runtime";
import { describe, expect, it } from "vitest";
import * as workersReact from "../../scripts/worker-stand-ins/react";
import * as workersRuntime from "../../scripts/worker-stand-ins/react-jsx";
import { createToJSONSchemaMethod } from "../../scripts/worker-stand-ins/zod-json-schema";

/** The public names of a module. Node 23 and later add `module.exports` to the namespace of a CommonJS module. */
const namesOf = (module: object) =>
  Object.keys(module).filter((name) => !/^(default|module\.exports|act|unstable_|__)/.test(name));

describe("the Worker's stand-in for a package", () => {
  it("has each of React's exports, since some packages look them up at run time", () => {
    expect(namesOf(workersReact).sort()).toEqual(namesOf(React).sort());
    expect(namesOf(workersRuntime).sort()).toEqual(namesOf(runtime).sort());
  });

  it("throws when the Worker calls a part that was left out", () => {
    expect(createToJSONSchemaMethod()).toThrow(/no JSON Schema/);
  });
});
