import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

function runCommand(...words: readonly string[]) {
  return spawnSync(process.execPath, [join(import.meta.dirname, "mutants.ts"), ...words], { encoding: "utf8" });
}

it("npm run mutants reports which test notices each change of a sample, beside explanations of other changes", () => {
  const { status, stdout } = runCommand("libs/golang", "--files", "src/url/*.ts", "--sample", "4", "--killed");
  const killed = stdout.split("\n").filter((line) => line.startsWith("killed: "));
  expect(killed.length).toBeGreaterThan(0);
  for (const line of killed)
    expect(line).toMatch(
      /^killed: libs\/golang\/src\/url\/go-url\.ts:\d+ {2}`.*` → `.*`: libs\/golang\/src\/url\/go-url\.test\.ts: \S/,
    );
  expect(stdout).toMatch(/^libs\/golang: \d mutants: \d killed, \d timed out, .*, 0 survived \(0 not covered\), /m);
  expect(status).toBe(0);
});

it("npm run mutants names a survivor that the package does not explain, and exits with 1", () => {
  // Only programs with this name run the file: its tests start it in processes of their own.
  const { status, stdout } = runCommand("libs/cli", "--files", "src/main.ts", "--sample", "1");
  expect(stdout).toMatch(/^libs\/cli\/src\/main\.ts:\d+ {2}`.*` → `.*` {2}\(not covered\)$/m);
  expect(stdout).toContain(
    "libs/cli: 1 mutants: 0 killed, 0 timed out, 0 refused by the compiler, 1 survived (1 not covered), 0 explained",
  );
  expect(status).toBe(1);
});

it.each<[words: readonly string[], message: string]>([
  [[], 'mutants: PACKAGE: expected the folder of a package such as libs/json, found ""'],
  [["scripts"], 'mutants: PACKAGE: expected the folder of a package such as libs/json, found "scripts"'],
  [["libs/json", "libs/patch"], "mutants: expected one PACKAGE, found also libs/patch"],
  [
    ["libs/json", "--files", "src/no-such-*.ts"],
    "mutants: --files: no product file of libs/json matches src/no-such-*.ts",
  ],
  [["libs/json", "--tests", "("], "mutants: --tests: expected a regular expression: "],
  [["libs/json", "--sample", "0"], 'mutants: --sample: expected a positive number, found "0"'],
])("npm run mutants -- %j is refused", (words, message) => {
  const { status, stdout, stderr } = runCommand(...words);
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(message),
  });
});
