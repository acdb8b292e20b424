// Compares generated templates and documents in our engines and in the real ones; started by scripts/fuzz.ts
// usage: npm run fuzz -- gotemplate|helm|patch|spiff [--minutes N] [--seed S]      needs Go; exit 1 on a difference
import { parseArgs } from "node:util";
import { goTemplateTarget } from "./compare-go-templates.ts";
import { helmArchiveTarget } from "./compare-helm-archives.ts";
import { helmChartTarget } from "./compare-helm-charts.ts";
import { helmSchemaTarget } from "./compare-helm-schemas.ts";
import { helmSetTarget } from "./compare-helm-sets.ts";
import { helmTemplateTarget } from "./compare-helm-templates.ts";
import { spiffExpressionTarget } from "./compare-spiff-expressions.ts";
import { spiffOutputTarget } from "./compare-spiff-output.ts";
import { spiffTarget, wholeSpiffTarget } from "./compare-spiff.ts";
import { threeWayTarget } from "./compare-three-way.ts";
import { runFuzz, type FuzzLimits, type FuzzReport } from "./run-fuzz.ts";

const usage = "usage: npm run fuzz -- gotemplate|helm|patch|spiff [--minutes N] [--seed S]";
const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);

type Run = (limits: FuzzLimits) => Promise<FuzzReport>;
/** What is compared, by the name of the language; each has an equal part of the time. */
const targets: Readonly<Record<string, readonly (readonly [name: string, run: Run])[]>> = {
  gotemplate: [["templates", (limits) => runFuzz(goTemplateTarget, limits)]],
  helm: [
    ["--set", (limits) => runFuzz(helmSetTarget, limits)],
    ["values of charts", (limits) => runFuzz(helmChartTarget, limits)],
    ["schemas of values", (limits) => runFuzz(helmSchemaTarget, limits)],
    ["whole charts", (limits) => runFuzz(helmTemplateTarget, limits)],
    ["damaged archives", (limits) => runFuzz(helmArchiveTarget, limits)],
  ],
  patch: [["three-way patches", (limits) => runFuzz(threeWayTarget, limits)]],
  spiff: [
    ["documents", (limits) => runFuzz(spiffTarget, limits)],
    ["whole documents", (limits) => runFuzz(wholeSpiffTarget, limits)],
    ["functions", (limits) => runFuzz(spiffExpressionTarget, limits)],
    ["YAML output", (limits) => runFuzz(spiffOutputTarget, limits)],
  ],
};
const runs = targets[positionals.join(" ")];
if (runs === undefined || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(usage);
  process.exit(2);
}
console.log(`seed ${seed}, for ${minutes} minutes`);
for (const [name, run] of runs) {
  const end = performance.now() + (minutes * 60_000) / runs.length;
  const { cases, difference } = await run({
    seed,
    batchSize: 300,
    shrinkMs: 30_000,
    goesOn: () => performance.now() < end,
  });
  console.log(`${name}: ${cases} cases, ${difference === undefined ? "no difference" : "a difference:"}`);
  if (difference === undefined) continue;
  console.log(difference);
  process.exitCode = 1;
}
