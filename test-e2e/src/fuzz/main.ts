// Compares generated templates and documents in our engines and in the real ones; started by scripts/fuzz.ts
// usage: npm run fuzz -- gotemplate|spiff-expressions [--minutes N] [--seed S]      needs Go; exit 1 on a difference
import { parseArgs } from "node:util";
import { goTemplateTarget } from "./compare-go-templates.ts";
import { spiffExpressionTarget } from "./compare-spiff-expressions.ts";
import { runFuzz, type FuzzLimits, type FuzzReport } from "./run-fuzz.ts";

const usage = "usage: npm run fuzz -- gotemplate|spiff-expressions [--minutes N] [--seed S]";
const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
const end = performance.now() + minutes * 60_000;
const limits: FuzzLimits = { seed, batchSize: 500, shrinkMs: 30_000, goesOn: () => performance.now() < end };
const targets: Readonly<Record<string, () => FuzzReport>> = {
  gotemplate: () => runFuzz(goTemplateTarget, limits),
  "spiff-expressions": () => runFuzz(spiffExpressionTarget, limits),
};
const run = targets[positionals.join(" ")];
if (run === undefined || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(usage);
  process.exit(2);
}
console.log(`seed ${seed}, for ${minutes} minutes`);
const report = run();
console.log(`${report.cases} cases, ${report.difference === undefined ? "no difference" : "a difference:"}`);
if (report.difference !== undefined) {
  console.log(report.difference);
  process.exit(1);
}
