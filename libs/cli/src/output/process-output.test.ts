import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { escaped, forbiddenIn, shown } from "../../test/hostile.ts";

const source = join(import.meta.dirname, "..");
const root = join(source, "../../..");

/** Runs `landscaper version` in a new process, and then the code in this process. */
function runThen(
  code: string,
  flags: readonly string[] = [],
): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  const text = `await import(${JSON.stringify(join(source, "main.ts"))}); const hostile = "${escaped}"; ${code}`;
  const words = [...flags, "--input-type=module", "--eval", text, "version"];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: "utf8" });
  return { stdout: stdout.replace(/^landscaper .*\n/, ""), stderr, status };
}

describe("the process of the command", () => {
  it("cleans console output of dependencies", () => {
    expect(runThen("console.log(hostile, [1]); console.warn(hostile)")).toEqual({
      stdout: `${shown} [ 1 ]\n`,
      stderr: `${shown}\n`,
      status: 0,
    });
  });

  it("hides warnings of Node and of libraries, and cleans those that a developer asks for", () => {
    const warning = "process.emitWarning(hostile)";
    expect(runThen(warning)).toEqual({ stdout: "", stderr: "", status: 0 });
    const asked = runThen(warning, ["--trace-warnings"]);
    expect(asked).toEqual({ stdout: "", stderr: `Warning: ${shown}\n`, status: 0 });
  });

  it.each(["setImmediate(() => { throw new Error(hostile) })", "void Promise.reject(new Error(hostile))"])(
    "shows class and places of an uncaught error, and not its text: %s",
    (code) => {
      const { stdout, stderr, status } = runThen(code);
      expect({ stdout, status }).toEqual({ stdout: "", status: 1 });
      expect(forbiddenIn(stderr)).toEqual([]);
      expect(stderr).toMatch(/^error: internal error of the command \(Error\)\. Report it with these lines:\n {4}at /);
      expect(stderr).not.toContain(shown);
    },
  );
});

it("the process of the command ends without a message when the reader closes the pipe", () => {
  const endless = "setInterval(() => console.log('x'.repeat(100000)), 0)";
  const text = `await import(${JSON.stringify(join(source, "main.ts"))}); ${endless}`;
  // Without pipefail, the shell reports the exit code of head.
  const script = 'set -o pipefail; "$0" --input-type=module --eval "$1" version | head -c 10';
  const { stderr, status } = spawnSync("bash", ["-c", script, process.execPath, text], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 141 });
});

describe("the source of the command", () => {
  const direct =
    /\bconsole\b|process\.std(?:out|err)|= process\b(?!\.)|["']node:(?:console|tty)["']|\bwriteSync\(|\/dev\/(?:std|fd|tty)|["']inherit["']/;

  it("writes to stdout and stderr in one file only: src/output/process-output.ts", () => {
    const files = [
      ...globSync("**/*.ts", { cwd: source }).map((file) => join(source, file)),
      join(root, "bin/landscaper"),
    ];
    const found = files.filter((file) => !file.endsWith(".test.ts") && direct.test(readFileSync(file, "utf8")));
    expect(found.map((file) => relative(source, file))).toEqual(["output/process-output.ts"]);
  });
});
