// Starts the benches in a clone as the pages document them, at their smallest size. The suite documented-commands starts all other scripts.
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { planStarts } from "../../scripts/documented-commands/plan-starts.ts";
import { readCensus } from "../../scripts/documented-commands/read-census.ts";
import { benches } from "../bench/benches.ts";
import { commandTimeoutMs, lineOf, quote, useDocumentedClone } from "../src/documented/documented-clone.ts";

const census = readCensus(join(import.meta.dirname, "../.."));
const starts = planStarts(census).filter(({ script }) => script === "bench");
const clone = useDocumentedClone(census);

/** Output lines of `npm run bench -- all --smallest` about each bench. */
let benchLines: readonly string[] = [];

it.each(starts.map((start) => [lineOf(start), start] as const))(
  "starts: %s",
  async (_line, start) => {
    const printed = await clone.start(start);
    if (!start.isHelp) benchLines = printed.match(/^(?:ran|skipped): \w+: .*$/gm) ?? [];
  },
  commandTimeoutMs,
);

describe.each(benches)("the bench $name", ({ name, smallest, absence, usesImages }) => {
  const isLeftOut = usesImages || absence(smallest, { isSmallest: false }) !== undefined;

  it(isLeftOut ? "was skipped with a reason" : "ran with the others, at its smallest size", () => {
    expect(benchLines).toContainEqual(expect.stringMatching(`^${isLeftOut ? "skipped" : "ran"}: ${name}: `));
  });

  // The clone has no images: the suite harness/bench-images starts the benches that need them. A bench that ran has loaded its modules.
  if (!isLeftOut) return;
  it("has modules that load", async () => {
    const folder = `./test-e2e/bench/${name}`;
    const modules = [`${folder}/${name}.ts`, `${folder}/format-${name}.ts`];
    // In a process of its own: a bench must not load jest.
    const load = `for (const path of ${JSON.stringify(modules)}) await import(path)`;
    await clone.succeed(`node scripts/bootstrap.mjs node --input-type=module --eval ${quote(load)}`);
  });
});
