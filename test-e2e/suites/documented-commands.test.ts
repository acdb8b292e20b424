// Runs every documented command that needs nothing of the reader's in a clone: each script of package.json at its smallest size, and the lines of shell blocks
// that no other suite reads from their page. The list comes from the pages (scripts/documented-commands); `npm run lint` reports commands without a test.
// The suite documented-benches starts the benches, so that both run at the same time.
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeUnless } from "@landscaper/testkit";
import { checkCommands } from "../../scripts/documented-commands/check-commands.ts";
import { planLines, planStarts } from "../../scripts/documented-commands/plan-starts.ts";
import { readCensus } from "../../scripts/documented-commands/read-census.ts";
import { scriptStarts } from "../../scripts/documented-commands/script-starts.ts";
import { absenceOf, commandTimeoutMs, lineOf, useDocumentedClone } from "../src/documented/documented-clone.ts";
import { openTerminal } from "../src/examples/terminal.ts";

const census = readCensus(join(import.meta.dirname, "../.."));
const starts = planStarts(census);
const clone = useDocumentedClone(census);

it("lint reports no problem with documented commands", () => {
  expect(checkCommands(census)).toEqual([]);
});

const scripts = Object.entries(scriptStarts).filter(([script]) => script !== "bench");

describe.each(scripts)("npm run %s", (script, { needs }) => {
  describeUnless(absenceOf(needs), describe)("as documented, at its smallest size", () => {
    it.each(starts.filter((start) => start.script === script).map((start) => [lineOf(start), start] as const))(
      "starts: %s",
      async (_line, start) => {
        await clone.start(start);
      },
      commandTimeoutMs,
    );
  });
});

describe.each(planLines(census))("$file, $heading", ({ file, commands }) => {
  // The READMEs of charts run commands in the folder that `npm run charts` writes.
  const prelude = file.startsWith("k8s/charts/") ? ["test -d dist/charts || npm run charts", "cd dist/charts"] : [];

  it(
    `runs: ${commands.map((command) => command.text).join("; ")}`,
    async () => {
      const terminal = openTerminal(clone.shell);
      try {
        for (const line of [...prelude, ...commands.map((command) => command.text)]) {
          if (line.includes("local-cluster")) await terminal.startUntil(line, / is up; use: kubectl /);
          else expect(await terminal.run(line)).toMatchObject({ status: 0 });
        }
      } finally {
        await terminal.close();
      }
    },
    commandTimeoutMs,
  );
});
