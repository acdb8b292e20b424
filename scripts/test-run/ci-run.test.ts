import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";

const folder = mkdtempSync(join(tmpdir(), "ci-run-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of [".ci", "bin"]) mkdirSync(join(folder, name));
copyFileSync(join(import.meta.dirname, "../../.ci/run"), join(folder, ".ci/run"));

/** Runs `.ci/run` with an npm of the test. Returns its exit code and the last line. */
function runCi(lint: number, tests: number, last: string): readonly [number | null, string | undefined] {
  const npm = `#!/bin/sh\n[ "$1" = run ] && exit ${lint}\nprintf 'unit: 3 passed, 0 failed\\n${last}\\n'\nexit ${tests}\n`;
  writeFileSync(join(folder, "bin/npm"), npm, { mode: 0o755 });
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  const { status, stdout } = spawnSync("bash", [join(folder, ".ci/run")], { env, encoding: "utf8" });
  return [status, stdout.trimEnd().split("\n").at(-1)];
}

describe(".ci/run", () => {
  it.each([
    { name: "everything passes", lint: 0, tests: 0, last: "3 passed, 0 failed", want: [0, "3 passed, 0 failed"] },
    { name: "only a linter fails", lint: 1, tests: 0, last: "3 passed, 0 failed", want: [1, "3 passed, 1 failed"] },
    { name: "only a test fails", lint: 0, tests: 1, last: "2 passed, 1 failed", want: [1, "2 passed, 1 failed"] },
    { name: "both fail", lint: 1, tests: 1, last: "2 passed, 1 failed", want: [1, "2 passed, 2 failed"] },
    { name: "the tests do not start", lint: 1, tests: 127, last: "no node", want: [1, "no node"] },
  ])("exits with the result and counts the linters in its last line if $name", ({ lint, tests, last, want }) => {
    expect(runCi(lint, tests, last)).toEqual(want);
  });
});
