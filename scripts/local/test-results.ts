/*
 * Reads the reports of Vitest and Playwright: the numbers of tests that passed and failed, and the tests that need a
 * look.
 */

/** A test that failed, or that passed only on a second try. */
export interface Trouble {
  test: string;
  /** The message of its first failure. */
  reason: string;
}

export interface Results {
  passed: number;
  failed: number;
  failures: Trouble[];
  /** Tests that passed only on the second try, because of a race in the product or in the test. */
  secondTries: Trouble[];
}

/**
 * The number of tests in a run that may need a second try: machines are shared, and a browser isn't always scheduled in
 * time.
 */
const SECOND_TRIES_ALLOWED = 2;

/** The part of Vitest's JSON report that is read here. */
export interface VitestReport {
  testResults: {
    /** The file. */
    name: string;
    status: string;
    message: string;
    /** `failureMessages` has one for each try that failed, even if the last one passed. */
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** @param nameOf returns a file's display name for its full path */
export function readVitestReport({ testResults }: VitestReport, nameOf = (file: string) => file): Results {
  const results: Results = { passed: 0, failed: 0, failures: [], secondTries: [] };
  for (const { name, status, message, assertionResults } of testResults) {
    const file = nameOf(name);
    let failed = 0;
    for (const { status: ended, fullName, failureMessages } of assertionResults) {
      const trouble = { test: `${file}: ${fullName}`, reason: failureMessages[0] ?? "" };
      if (ended === "failed") {
        failed += 1;
        results.failures.push(trouble);
      } else if (ended === "passed") {
        results.passed += 1;
        if (failureMessages.length > 0) results.secondTries.push(trouble);
      }
    }
    // A file that can't be loaded, or whose hooks fail, counts as failed even if none of its tests failed.
    if (status === "failed" && failed === 0) {
      failed = 1;
      results.failures.push({ test: file, reason: message });
    }
    results.failed += failed;
  }
  return results;
}

/** The part of Playwright's JSON report that is read here. */
export interface PlaywrightReport {
  /** Errors that belong to no test. */
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    file: string;
    title: string;
    tests: {
      projectName: string;
      status: "expected" | "unexpected" | "flaky" | "skipped";
      results: { error?: { message?: string } }[];
    }[];
  }[];
}

export function readPlaywrightReport({ errors, suites }: PlaywrightReport): Results {
  const results: Results = { passed: 0, failed: 0, failures: [], secondTries: [] };
  for (const { message = "" } of errors) {
    results.failed += 1;
    results.failures.push({ test: "Playwright", reason: message });
  }
  for (const suite of suites) readSuite(suite, results);
  return results;
}

function readSuite({ suites = [], specs }: PlaywrightSuite, results: Results): void {
  for (const { file, title, tests } of specs) {
    for (const { projectName, status, results: tries } of tests) {
      const reason = tries.find(({ error }) => error)?.error?.message ?? "";
      const trouble = { test: `[${projectName}] ${file}: ${title}`, reason };
      if (status === "unexpected") {
        results.failed += 1;
        results.failures.push(trouble);
      } else if (status !== "skipped") {
        results.passed += 1;
        if (status === "flaky") results.secondTries.push(trouble);
      }
    }
  }
  for (const suite of suites) readSuite(suite, results);
}

/**
 * Decides whether a run needed too many second tries.
 * @param tests names of the tests that passed only the second time, of all runners together
 * @returns the error, which names the tests; undefined if there are few enough
 */
export function complainOfRetries(tests: readonly string[]): string | undefined {
  if (tests.length <= SECOND_TRIES_ALLOWED) return undefined;
  return [
    `${tests.length} tests passed only the second time; a run may have ${SECOND_TRIES_ALLOWED} of them.`,
    ...tests.map((test) => `  ${test}`),
  ].join("\n");
}
