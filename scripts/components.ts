// Builds the components of the deployers and of the agent with their charts, for images in a registry. docs/guide/deployer-components.md tells more.
// usage: npm run components -- --registry HOST/PREFIX [--output FOLDER]
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readCommandLine, refuse } from "./command-line.ts";
import { buildDeployerComponents } from "./components/build-components.ts";

const root = join(import.meta.dirname, "..");
const usage = `usage: npm run components -- --registry HOST/PREFIX [--output FOLDER]
  --registry HOST/PREFIX    of the images
  --output FOLDER           default: dist/components`;
const { values } = readCommandLine({
  usage,
  options: { registry: { type: "string" }, output: { type: "string", default: join(root, "dist/components") } },
});
const { registry } = values;
if (registry === undefined) refuse("components: --registry: expected HOST/PREFIX of the images, found nothing", usage);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
try {
  const output = resolve(values.output);
  for (const line of await buildDeployerComponents({ root, output, version, registry })) {
    console.log(`${line}, in ${join(values.output, "ctf")}`);
  }
} catch (error) {
  console.error(`components: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
