// The recipes of CONTRIBUTING in a copy of the checkout. Run whole, all of `npm run lint` judges the result; otherwise its parts for the new packages.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isWholeRun } from "../src/clusters/selected-clusters.ts";
import { copySources } from "../src/examples/clone.ts";

const added = ["libs/deployers/git-source", "services/git-source-deployer", "libs/word-count"];
/** Projects of TypeScript: the tests of a package are one of their own. */
const projects = [...added, "libs/deployers/git-source/test", "libs/word-count/test"];
const checks: readonly (readonly string[])[] = isWholeRun("new-packages")
  ? [["npm", "run", "lint"]]
  : [
      ["node", "scripts/bootstrap.mjs", "scripts/workspace.ts"],
      ["node", "scripts/bootstrap.mjs", "tsc", "-b", ...projects],
      ["node", "scripts/bootstrap.mjs", "oxlint", "--type-aware", ...added],
      ["node", "scripts/bootstrap.mjs", "oxfmt", "--check", "."],
      ["node", "scripts/bootstrap.mjs", "knip", "--no-progress"],
    ];

let copy: string;

function run(command: string, ...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  // What Jest and its parent set for themselves is not for the tests of the copy.
  const { NODE_OPTIONS: _options, JEST_WORKER_ID: _worker, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: "utf8", env });
  return { status, output: `${stdout}${stderr}` };
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "landscaper-new-"));
  copySources(copy);
  const { status, output } = run("node", "scripts/bootstrap.mjs");
  if (status !== 0) throw new Error(`the copy cannot be installed: ${output}`);
}, 300_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe("npm run new", () => {
  it.each([
    ["deployer", "git-source", "git-source-deployer-lib"],
    ["package", "word-count", "word-count"],
  ])(
    "adds the %s %s, whose tests pass",
    (kind, name, project) => {
      expect(run("npm", "run", "new", "--", kind, name)).toMatchObject({ status: 0 });
      const tests = run("npm", "run", "unit", "--", "--selectProjects", project);
      expect(tests).toEqual({ status: 0, output: expect.stringMatching(/Tests: +2 passed, 2 total/) });
      expect(run("npm", "run", "new", "--", kind, name)).toEqual({
        status: 1,
        output: expect.stringContaining(`new: "${name}" exists already: libs/`),
      });
    },
    300_000,
  );

  it("makes a process that says how it is called", () => {
    const main = "services/git-source-deployer/src/main.ts";
    const { status, output } = run("node", "scripts/bootstrap.mjs", main, "--help");
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("--kubeconfig") });
  });

  it.each(checks)(
    "leaves a workspace that passes %s %s %s",
    (...command) => {
      const [program = "", ...args] = command;
      expect(run(program, ...args)).toEqual({ status: 0, output: expect.anything() });
    },
    900_000,
  );
});
