// Writes everything that is generated and checked in: CRDs, admission policies, editor schemas, files of charts, docs/errors.md, docs/reference/rights.md,
// tsconfig files.
// usage: npm run generate
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateFiles } from "../libs/api/src/generation/generated-files.ts";
import { productVersion } from "../libs/api/src/product-version.ts";
import { readCommandLine } from "./command-line.ts";
import { generateChartFiles } from "./charts/chart-files.ts";

readCommandLine({ usage: "usage: npm run generate", options: {} });
const root = join(import.meta.dirname, "..");
const files = [...generateFiles(), ...generateChartFiles(root, productVersion)];
const wanted = new Set(files.map(({ path }) => path));
for (const path of globSync("{crds/*.yaml,schemas/*.json,k8s/charts/*/rules/**/*.yaml}", { cwd: root })) {
  if (!wanted.has(path)) rmSync(join(root, path));
}
for (const { path, content } of files) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
console.log(`generate: ${files.length} files of crds/, schemas/, docs/ and k8s/charts/`);
const result = spawnSync(process.execPath, ["scripts/workspace.ts", "--fix"], { cwd: root, stdio: "inherit" });
process.exit(result.status ?? 1);
