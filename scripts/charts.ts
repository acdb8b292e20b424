// Vendors the charts of k8s/charts with what they depend on, checks them, and packs them. usage: npm run charts -- [--output FOLDER] [--image-prefix PREFIX]
import { join } from "node:path";
import { readCommandLine } from "./command-line.ts";
import { packCharts } from "./charts/pack-charts.ts";

const root = join(import.meta.dirname, "..");
const { values } = readCommandLine({
  usage: `usage: npm run charts [-- FLAGS]
  --output FOLDER          default: dist/charts
  --image-prefix PREFIX    of the images that the charts name`,
  options: { output: { type: "string", default: join(root, "dist/charts") }, "image-prefix": { type: "string" } },
});
const { output, "image-prefix": imagePrefix } = values;
for (const line of await packCharts({ root, output, imagePrefix })) console.log(line);
