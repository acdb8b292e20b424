import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** What a kit that judges any implementation may share: files that know nothing of our code but the Kubernetes client. */
const sharedFiles = [
  "contract-names.ts",
  "object-history.ts",
  "plain-api.ts",
  "run-every.ts",
  "run-in-parallel.ts",
  "sentinel.ts",
];
/** The client; types of our code vanish at run time. */
const allowedLines = [
  /^import \{ connectionFromKubeconfig(?:, createClient)? \} from "@landscaper\/controller-runtime";$/gm,
  /^import type .*;$/gm,
];
const allowedModules = ["@jest/globals", "yaml"];

const importPattern = /^(?:import|export|}).*\bfrom "([^"]+)";$|\bimport\(/gm;

function modulesOf(file: string): string[] {
  let source = readFileSync(file, "utf8");
  for (const line of allowedLines) source = source.replaceAll(line, "");
  return [...source.matchAll(importPattern)].map(([, module = "import()"]) => module);
}

/** Imports of a kit's files that it is not to have, as "file: module". */
export function findForeignImports(folder: string): { readonly files: readonly string[]; readonly foreign: string[] } {
  const shared = sharedFiles.map((name) => join(import.meta.dirname, name));
  const files = [...globSync("**/*.ts", { cwd: folder }).map((file) => join(folder, file)), ...shared];
  const isAllowed = (file: string, module: string): boolean => {
    if (module.startsWith("node:") || allowedModules.includes(module)) return true;
    const path = join(dirname(file), module);
    return module.startsWith(".") && (path.startsWith(`${folder}/`) || shared.includes(path));
  };
  const foreign = files.flatMap((file) =>
    modulesOf(file)
      .filter((module) => !isAllowed(file, module))
      .map((module) => `${relative(folder, file)}: ${module}`),
  );
  return { files, foreign };
}
