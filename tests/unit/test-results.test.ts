import { describe, expect, it } from "vitest";
import { complainOfRetries, readPlaywrightReport, readVitestReport } from "../../scripts/local/test-results";

const one = (status: string, fullName: string, ...failureMessages: string[]) => ({ status, fullName, failureMessages });

describe("Vitest's report", () => {
  it("counts tests that passed only on a retry as passed, and lists them", () => {
    const report = {
      testResults: [
        {
          name: "/repository/tests/a.test.ts",
          status: "failed",
          message: "",
          assertionResults: [
            one("passed", "works"),
            one("passed", "works at last", "not yet"),
            one("failed", "never works", "no", "no again"),
            one("skipped", "waits"),
          ],
        },
      ],
    };
    expect(readVitestReport(report, (file) => file.replace("/repository/", ""))).toEqual({
      passed: 2,
      failed: 1,
      failures: [{ test: "tests/a.test.ts: never works", reason: "no" }],
      secondTries: [{ test: "tests/a.test.ts: works at last", reason: "not yet" }],
    });
  });

  it("counts a file that failed without running a test as a failure", () => {
    const testResults = [{ name: "b.test.ts", status: "failed", message: "no such module", assertionResults: [] }];
    expect(readVitestReport({ testResults })).toEqual({
      passed: 0,
      failed: 1,
      failures: [{ test: "b.test.ts", reason: "no such module" }],
      secondTries: [],
    });
  });
});

describe("Playwright's report", () => {
  const spec = (title: string, status: "expected" | "unexpected" | "flaky" | "skipped", ...errors: string[]) => ({
    file: "a.spec.ts",
    title,
    tests: [{ projectName: "js", status, results: [...errors.map((message) => ({ error: { message } })), {}] }],
  });

  it("counts flaky tests as passed, and lists them, at any depth of suites", () => {
    const report = {
      errors: [],
      suites: [
        {
          specs: [spec("works", "expected"), spec("waits", "skipped")],
          suites: [
            { specs: [spec("works at last", "flaky", "not yet"), spec("never works", "unexpected", "no", "no")] },
          ],
        },
      ],
    };
    expect(readPlaywrightReport(report)).toEqual({
      passed: 2,
      failed: 1,
      failures: [{ test: "[js] a.spec.ts: never works", reason: "no" }],
      secondTries: [{ test: "[js] a.spec.ts: works at last", reason: "not yet" }],
    });
  });

  it("counts an error outside of the tests as a failure", () => {
    expect(readPlaywrightReport({ errors: [{ message: "The app did not start." }], suites: [] })).toMatchObject({
      failed: 1,
      failures: [{ test: "Playwright", reason: "The app did not start." }],
    });
  });
});

describe("A run's retries", () => {
  it("are allowed for two tests", () => {
    expect(complainOfRetries([])).toBeUndefined();
    expect(complainOfRetries(["a", "b"])).toBeUndefined();
  });

  it("fail the run from the third test on, and are listed", () => {
    const sentence = complainOfRetries(["a.test.ts: one", "b.spec.ts: two", "c.spec.ts: three"]);
    expect(sentence).toMatch(/^3 tests passed only the second time/);
    for (const name of ["a.test.ts: one", "b.spec.ts: two", "c.spec.ts: three"]) expect(sentence).toContain(name);
  });
});
