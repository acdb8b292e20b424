// Records what Go's text/template with sprig gives for our templates. usage: node test-e2e/oracles/gotemplate/record.ts
// Reads the cases of libs/gotemplate/testdata/*.json, runs them in Go and writes the results back; needs Go.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Case {
  readonly template: string;
  readonly out?: string;
  readonly error?: string;
}

const testdata = join(import.meta.dirname, "../../../libs/gotemplate/testdata");
for (const name of globSync("*.json", { cwd: testdata }).toSorted()) {
  if (name === "data.json") continue;
  const file = join(testdata, name);
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Case[]; // written by this script
  const cases = recorded.map(({ out: _out, error: _error, ...question }) => question);
  const answers = execFileSync("go", ["run", ".", join(testdata, "data.json")], {
    cwd: import.meta.dirname,
    input: `${cases.map((question) => JSON.stringify(question)).join("\n")}\n`,
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  const results = answers
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Pick<Case, "out" | "error">); // the oracle's lines
  const merged = cases.map((question, index) => ({ ...question, ...results[index] }));
  writeFileSync(file, `${JSON.stringify(merged, null, 1)}\n`);
  console.log(`${name}: ${cases.length} cases`);
}
