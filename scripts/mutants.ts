// Mutation testing: makes small changes in the code of a package, one at a time, and runs the package's tests that reach the code. A change that no test
// notices shows behaviour without a test, or code without effect. usage: npm run mutants -- --help
// The changes exist in the process of the tests only: no file is written. Exits 1 if a mutant survives that the package's mutants.json does not explain.
import { existsSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { readCommandLine, readOrRefuse, refuse } from "./command-line.ts";
import { distancesTo, readModules, type Modules } from "./import-graph.ts";
import { describeRun } from "./mutants/describe-run.ts";
import { hasRun } from "./mutants/covered-places.ts";
import { judgeSurvivors, parseExplanations, type PlacedMutant } from "./mutants/explanations.ts";
import { applyEdit, listMutants, type Mutant } from "./mutants/operators.ts";
import { chooseSample } from "./mutants/random-sample.ts";
import { runBaseline, runMutants, type Baseline, type TestFile } from "./mutants/run-tests.ts";
import { openSources } from "./mutants/typed-sources.ts";
import { isTypeOnly } from "./test-run/changed-tests.ts";
import { listTestFiles } from "./test-run/test-files.ts";

const root = join(import.meta.dirname, "..");
const usage = `usage: npm run mutants -- PACKAGE [--files GLOB] [--tests PATTERN] [--sample N] [--seed S] [--minutes M] [--killed]
  PACKAGE      folder of a package: libs/json
  --files      product files to change, relative to the package: "src/parse-*.ts"; default: all
  --tests      regular expression of paths of test files; default: all of the package that load the files
  --sample     number of mutants, chosen randomly; default: all
  --seed       seed of the choice; default: 1
  --minutes    no mutant starts after this time; default: 30
  --killed     also prints which test notices each mutant`;

interface Options {
  readonly folder: string;
  readonly glob: string;
  readonly tests: RegExp;
  readonly sample: number;
  readonly seed: number;
  readonly minutes: number;
  readonly showsKilled: boolean;
}

function parseCount(flag: string, word: string): number {
  if (!/^[1-9]\d{0,8}$/.test(word)) throw new Error(`--${flag}: expected a positive number, found "${word}"`);
  return Number(word);
}

function readExpression(word: string): RegExp {
  try {
    return new RegExp(word);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`--tests: expected a regular expression: ${reason}`, { cause: error });
  }
}

function readOptions(): Options {
  const { values, positionals } = readCommandLine({
    usage,
    options: {
      files: { type: "string", default: "src/**" },
      tests: { type: "string", default: "" },
      sample: { type: "string", default: "999999999" },
      seed: { type: "string", default: "1" },
      minutes: { type: "string", default: "30" },
      killed: { type: "boolean", default: false },
    },
    acceptsPositionals: true,
  });
  const [folder = "", ...others] = positionals.map((word) => word.replace(/\/$/, ""));
  return readOrRefuse(
    () => {
      if (others.length > 0) throw new Error(`expected one PACKAGE, found also ${others.join(" ")}`);
      const isPackage = /^(?:libs|services)\//.test(folder) && existsSync(join(root, folder, "package.json"));
      if (!isPackage) throw new Error(`PACKAGE: expected the folder of a package such as libs/json, found "${folder}"`);
      return {
        folder,
        glob: values.files,
        tests: readExpression(values.tests),
        sample: parseCount("sample", values.sample),
        seed: parseCount("seed", values.seed),
        minutes: parseCount("minutes", values.minutes),
        showsKilled: values.killed,
      };
    },
    { name: "mutants", usage },
  );
}

/** A mutant of a file of the package. Its path is relative to the root. */
interface FoundMutant extends Mutant {
  readonly id: number;
  readonly path: string;
  readonly text: string;
}

function listFiles({ folder, glob }: Options, { files }: Modules): readonly string[] {
  const product = [...files].filter(
    ([path, text]) => path.startsWith(`${folder}/src/`) && /(?<!\.test|\.d)\.ts$/.test(path) && !isTypeOnly(text),
  );
  const paths = product.map(([path]) => path).filter((path) => matchesGlob(path.slice(folder.length + 1), glob));
  if (paths.length === 0) refuse(`mutants: --files: no product file of ${folder} matches ${glob}`, usage);
  return paths;
}

/** Returns the mutants of the files: the chosen ones, and the others. */
function findMutants(
  { folder, sample, seed }: Options,
  paths: readonly string[],
): { readonly chosen: readonly FoundMutant[]; readonly others: readonly FoundMutant[] } {
  using sources = openSources(join(root, folder, "tsconfig.json"));
  const all = paths.flatMap((path) => {
    const source = sources.parse(join(root, path));
    return listMutants(source).map((mutant) => ({ ...mutant, path, text: applyEdit(source.text, mutant) }));
  });
  const numbered = all.map((mutant, id) => ({ ...mutant, id }));
  const sampled = chooseSample(numbered, sample, seed);
  const ids = new Set(sampled.map(({ id }) => id));
  return {
    chosen: sampled.filter(({ path, text }) => sources.parsesWith(join(root, path), text)),
    others: numbered.filter(({ id }) => !ids.has(id)),
  };
}

/** Returns the mutants that the compiler accepts. Only survivors are checked: a check takes longer than most tests. */
function selectCompiling<T extends FoundMutant>({ folder }: Options, mutants: readonly T[]): readonly T[] {
  if (mutants.length === 0) return [];
  using sources = openSources(join(root, folder, "tsconfig.json"));
  return mutants.filter(({ path, text }) => sources.compilesWith(join(root, path), text));
}

/** Returns the tests of the package that load one of the files. */
function findTests(
  { folder, tests: expression }: Options,
  modules: Modules,
  paths: readonly string[],
): readonly TestFile[] {
  const fresh = [...distancesTo(modules, paths).keys()];
  const own = listTestFiles().filter(
    (test) => test.startsWith(`${folder}/`) && expression.test(test) && fresh.includes(test),
  );
  return own.map((path) => ({ path, fresh }));
}

/** Returns the test files that run the code of a mutant, the fastest first. */
function testsOf({ path, edit }: FoundMutant, baselines: readonly Baseline[]): readonly string[] {
  const running = baselines.filter(({ coverage }) => hasRun(coverage[path], edit.start));
  return running.toSorted((a, b) => a.ms - b.ms).map(({ test }) => test);
}

const options = readOptions();
const { folder } = options;
const explanationsPath = join(root, folder, "mutants.json");
const explanations = existsSync(explanationsPath)
  ? readOrRefuse(() => parseExplanations(`${folder}/mutants.json`, readFileSync(explanationsPath, "utf8")), {
      name: "mutants",
      usage,
    })
  : [];
const modules = readModules(root);
const paths = listFiles(options, modules);
const { chosen: mutants, others } = findMutants(options, paths);
const tests = findTests(options, modules, [...new Set(mutants.map(({ path }) => path))]);
const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { name: string };
const project = name.replace("@landscaper/", "");
const deadlineMs = Date.now() + options.minutes * 60_000;
console.error(`${folder}: ${mutants.length} mutants in ${paths.length} files with ${tests.length} test files`);
const baselines = tests.length === 0 ? [] : await runBaseline(project, tests, paths);
const covered = mutants.map((mutant) => ({ ...mutant, tests: testsOf(mutant, baselines) }));
const run = covered.filter((mutant) => mutant.tests.length > 0);
const outcomes = await runMutants({
  project,
  mutants: run.map(({ id, path, text, tests }) => ({ id, path, text, tests })),
  tests,
  fresh: Object.fromEntries(paths.map((path) => [path, [...distancesTo(modules, [path]).keys()]])),
  msOf: new Map(baselines.map(({ test, ms }) => [test, ms])),
  deadlineMs,
  onOutcome: (done) => {
    if (done % 100 === 0) console.error(`${done} of ${run.length} mutants`);
  },
});

const place = ({ path, ...mutant }: FoundMutant & { readonly tests?: readonly string[] }): PlacedMutant => ({
  ...mutant,
  file: path.slice(folder.length + 1),
  isUncovered: mutant.tests?.length === 0,
});
const withState = (state: string | undefined) => run.filter(({ id }) => outcomes.get(id)?.state === state);
const unnoticed = covered.filter(({ id, tests }) => tests.length === 0 || outcomes.get(id)?.state === "survived");
const survivors = selectCompiling(options, unnoticed);
const judgement = judgeSurvivors(
  {
    survivors: survivors.map(place),
    untested: [...withState(undefined), ...others].map(place),
    isListed: (file) => paths.includes(`${folder}/${file}`),
  },
  explanations,
);
if (options.showsKilled) {
  for (const { id, path, line, original, mutated } of withState("killed")) {
    console.log(
      `killed: ${path}:${line}  \`${original}\` → \`${mutated}\`: ${outcomes.get(id)?.detail?.split("\n", 1)[0]}`,
    );
  }
}
const figures = {
  mutants: mutants.length,
  killed: withState("killed").length,
  refused: unnoticed.length - survivors.length,
  timedOut: withState("timed out").length,
  notRun: withState(undefined).length,
};
for (const line of describeRun(folder, figures, judgement)) console.log(line);
process.exitCode = judgement.unexplained.length + judgement.outdated.length > 0 ? 1 : 0;
