// Renders the chart in a folder once and prints by how many MiB that raised the peak of the process's memory; started by helm.ts.
import { CompiledCharts } from "@landscaper/helm";
import { loadCase, renderLoaded } from "./helm-engine.ts";

const peakMiB = (): number => process.resourceUsage().maxRSS / 1024;
const [chart = ""] = process.argv.slice(2);
// Node itself with the libraries, more than half of it.
const before = peakMiB();
renderLoaded(await loadCase({ name: chart, chart, values: undefined }), new CompiledCharts());
console.log(peakMiB() - before);
