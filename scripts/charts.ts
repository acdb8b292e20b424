// Vendors the charts of k8s/charts with what they depend on, checks them, and packs them. usage: npm run charts -- [--output FOLDER]
import { parseArgs } from "node:util";
import { join } from "node:path";
import { packCharts } from "./charts/pack-charts.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { output: { type: "string", default: join(root, "dist/charts") } } });
for (const line of await packCharts({ root, output: values.output })) console.log(line);
