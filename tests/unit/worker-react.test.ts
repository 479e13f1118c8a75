import * as React from "react";
import * as runtime from "react/jsx-runtime";
import { expect, it } from "vitest";
import * as workersReact from "../../app/platform/react.server";
import * as workersRuntime from "../../app/platform/react-jsx.server";

const namesOf = (module: object) => Object.keys(module).filter((name) => !/^(default|act|unstable_|__)/.test(name));

it("the Worker's React has every name of React's, since some packages look for them while they run", () => {
  expect(namesOf(workersReact).sort()).toEqual(namesOf(React).sort());
  expect(namesOf(workersRuntime).sort()).toEqual(namesOf(runtime).sort());
});
