// Compares generated templates and documents in our engines and in the real ones; started by scripts/fuzz.ts
// usage: npm run fuzz -- gotemplate|helm|patch|spiff [--only TARGET] [--minutes N] [--cases N] [--go-on] [--seed S] [--smallest]
// Needs Go; exits with 3 if Go is missing. Exits with 1 on a difference that is not listed; with --cases also if a part of the language occurs too rarely.
import { readCommandLine, readOrRefuse } from "../../../scripts/command-line.ts";
import { parseFuzzOptions } from "./fuzz-options.ts";

const usage = `usage: npm run fuzz -- gotemplate|helm|patch|spiff [FLAGS]
  --only TARGET   compares only this target of the language; a wrong name lists them; default: all
  --minutes N     time for all targets together; default: 5
  --cases N       compares at least N cases of each target, even if that takes longer than --minutes; default: 0
  --seed S        seed of the cases; default: chosen randomly, and printed
  --go-on         prints all differences instead of ending at the first
  --smallest      compares a few cases of each target, with seed 1 unless --seed is given: checks that everything works
Exit codes: 1 for a difference, 2 for an invalid command line, 3 without Go`;
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

// Imported late, because loading the engines takes more than a second: `--help` and invalid flags exit earlier.
const { comparisons } = await import("./comparisons.ts");
const { provideOracles } = await import("../../oracles/build-oracle.ts");
const { FuzzTally } = await import("./run-fuzz.ts");
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
const extent = values.smallest ? "a few cases of each target" : `${minutes} minutes`;
console.log(`seed ${seed}, ${extent}${leastCases > 0 ? ` and at least ${leastCases} cases of each` : ""}`);
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
