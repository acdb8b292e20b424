// Compares generated templates and documents in our engines and in the real ones; started by scripts/fuzz.ts
// usage: npm run fuzz -- gotemplate|helm|patch|spiff [--only TARGET] [--minutes N] [--cases N] [--go-on] [--seed S] [--smallest]
// Needs Go; exits with 3 if Go is missing. Exits with 1 on a difference that is not listed; with --cases also if a part of the language occurs too rarely.
import { readCommandLine, readOrRefuse } from "../../../scripts/command-line.ts";
import { provideOracles } from "../../oracles/build-oracle.ts";
import { goTemplateTarget } from "./compare-go-templates.ts";
import { helmArchiveTarget } from "./compare-helm-archives.ts";
import { helmChartTarget } from "./compare-helm-charts.ts";
import { helmSchemaTarget } from "./compare-helm-schemas.ts";
import { helmSetTarget } from "./compare-helm-sets.ts";
import { helmTemplateTarget } from "./compare-helm-templates.ts";
import { helmCommandTargets } from "./helm-commands/helm-command-targets.ts";
import { spiffExpressionTarget } from "./compare-spiff-expressions.ts";
import { spiffInterpolationTarget } from "./compare-spiff-interpolations.ts";
import { spiffOutputTarget } from "./compare-spiff-output.ts";
import { spiffTarget, wholeSpiffTarget } from "./compare-spiff.ts";
import { threeWayTarget } from "./compare-three-way.ts";
import { parseFuzzOptions } from "./fuzz-options.ts";
import { FuzzTally, runFuzz, type FuzzLimits, type FuzzTarget } from "./run-fuzz.ts";

const usage =
  "usage: npm run fuzz -- gotemplate|helm|patch|spiff [--only TARGET] [--minutes N] [--cases N] [--go-on] [--seed S] [--smallest]\n" +
  "--minutes: time for all targets together; --cases: so many of each, however long that takes, in the minutes at least; " +
  "--go-on: tells all differences instead of ending at the first; " +
  "--smallest: a few cases of each target, the same each time unless you give a seed, to check that everything works\n" +
  "Exit codes: 1 for a difference, 2 for an invalid command line, 3 without Go";
const { values, positionals } = readCommandLine({
  usage,
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    cases: { type: "string", default: "0" },
    smallest: { type: "boolean", default: false },
    only: { type: "string" },
    "go-on": { type: "boolean", default: false },
  },
  acceptsPositionals: true,
});
/** How often each part of a language occurs at least in a run of --cases. */
const leastUses = 500;
const batchSize = values.smallest ? 10 : 300;

interface Comparison {
  readonly name: string;
  readonly words: readonly string[];
  readonly run: (limits: FuzzLimits) => ReturnType<typeof runFuzz>;
}

function comparison<T>(name: string, target: FuzzTarget<T>): Comparison {
  return { name, words: target.words ?? [], run: (limits) => runFuzz(target, limits) };
}

/** What is compared, by the name of the language; each has an equal part of the time. */
const comparisons: Readonly<Record<string, readonly Comparison[]>> = {
  gotemplate: [comparison("templates", goTemplateTarget)],
  helm: [
    comparison("--set", helmSetTarget),
    comparison("values of charts", helmChartTarget),
    comparison("schemas of values", helmSchemaTarget),
    comparison("whole charts", helmTemplateTarget),
    comparison("damaged archives", helmArchiveTarget),
    ...helmCommandTargets.map(({ name, target }) => comparison(name, target)),
  ],
  patch: [comparison("three-way patches", threeWayTarget)],
  spiff: [
    comparison("documents", spiffTarget),
    comparison("whole documents", wholeSpiffTarget),
    comparison("functions", spiffExpressionTarget),
    comparison("interpolations", spiffInterpolationTarget),
    comparison("YAML output", spiffOutputTarget),
  ],
};
const targets = Object.fromEntries(
  Object.entries(comparisons).map(([name, each]) => [name, each.map((one) => one.name)]),
);
const { only } = values;
const options = readOrRefuse(() => parseFuzzOptions({ ...values, positionals }, targets), { name: "fuzz", usage });
const { language, cases: leastCases, seed = values.smallest ? 1 : Date.now() % 1_000_000_000 } = options;
/** A first batch of cases always runs. */
const minutes = values.smallest ? 1e-6 : options.minutes;
const chosen = (comparisons[language] ?? []).filter(({ name }) => only === undefined || name === only);
const engines = provideOracles((line) => console.error(`fuzz: ${line}`), { mayBuild: true });
if (engines !== undefined) {
  console.error(`fuzz: the real engines are missing: ${engines.missing}; ${engines.hint}`);
  process.exit(3);
}
console.log(`seed ${seed}, for ${minutes} minutes${leastCases > 0 ? ` and ${leastCases} cases` : ""}`);
for (const { name, words, run } of chosen) {
  const end = performance.now() + (minutes * 60_000) / chosen.length;
  const tally = new FuzzTally();
  let told = 0;
  const tell = (text: string): void => {
    told++;
    console.log(`${new Date().toISOString()} a difference:\n${text}\n`);
  };
  const { cases, difference } = await run({
    seed,
    batchSize,
    shrinkMs: 30_000,
    goesOn: (batches) => batches === 0 || performance.now() < end || batches * batchSize < leastCases,
    tally,
    ...(values["go-on"] ? { onDifference: tell } : {}),
  });
  console.log(
    `${name}: ${cases} cases, ${told > 0 ? `${told} differences` : difference === undefined ? "no difference" : "a difference:"}`,
  );
  for (const [reason, count] of tally.known) console.log(`  listed: ${reason}: ${count}`);
  const counts = words.map((word) => `${word} ${tally.words.get(word) ?? 0}`);
  if (counts.length > 0) console.log(`  documents that succeed with ${counts.join(", ")}`);
  const rare = leastCases > 0 ? tally.rarerThan(leastUses, words) : [];
  if (rare.length > 0) console.log(`  less often than ${leastUses} times: ${rare.join(", ")}`);
  if (difference !== undefined) console.log(difference);
  if (difference !== undefined || told > 0 || rare.length > 0) process.exitCode = 1;
}
