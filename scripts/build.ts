// Bundles every service, its threads and the command to one file each: dist/NAME.mjs. usage: npm run build
import { globSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const outdir = join(root, "dist");

/** "services/manifest-deployer/src/main.ts" -> "manifest-deployer"; the command is called landscaper, a thread as its file. */
function bundleName(entry: string): string {
  if (basename(entry) !== "main.ts") return basename(entry, ".ts");
  const name = basename(dirname(dirname(entry)));
  return name === "cli" ? "landscaper" : name;
}

// Dependencies in CommonJS ask for these three, which an ES module lacks.
const banner = `import { createRequire as __createRequire } from "node:module";
import { fileURLToPath as __fileURLToPath } from "node:url";
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL(".", import.meta.url));`;

const entries = globSync(["{services/*,libs/cli}/src/main.ts", "{services/*,libs/deployers/*}/src/**/*-thread.ts"], {
  cwd: root,
}).toSorted();
await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(entries.map((entry) => [bundleName(entry), entry])),
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  sourcemap: true,
  // Class names appear in errors and logs.
  keepNames: true,
  banner: { js: banner },
  logLevel: "warning",
});
// Bundles of services that are no more.
const written = new Set(entries.flatMap((entry) => [`${bundleName(entry)}.mjs`, `${bundleName(entry)}.mjs.map`]));
for (const file of globSync("*.mjs*", { cwd: outdir })) if (!written.has(file)) rmSync(join(outdir, file));
console.log(`built ${entries.map((entry) => `dist/${bundleName(entry)}.mjs`).join(", ")}`);
