// Adds a package or a deployer to the workspace: files, lock file, references. usage: npm run new -- deployer|package NAME [--dry-run]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCommandLine, readOrRefuse } from "./command-line.ts";
import { listPackageFolders } from "./package-folders.ts";
import { parseRequest, planAddition, type Workspace } from "./new/plan-addition.ts";

const root = join(import.meta.dirname, "..");

const usage = `usage: npm run new -- deployer|package NAME [--dry-run]
  --dry-run  names the files, and writes none`;
const { values, positionals } = readCommandLine({
  usage,
  options: { "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});

const workspace: Workspace = {
  packageNames: listPackageFolders(root).map((folder) => {
    const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { name: string };
    return name;
  }),
  exists: (path) => existsSync(join(root, path)),
  read: (path) => readFileSync(join(root, path), "utf8"),
};

function run(...args: string[]): void {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (result.status !== 0) {
    throw new Error(`node ${args.join(" ")} failed; what it says stands above, and the new files are in place`);
  }
}

const request = readOrRefuse(() => parseRequest(positionals), { name: "new", usage });
try {
  const { files, generated, lintedFiles, next } = planAddition(request, workspace);
  for (const { path, content } of files) {
    if (values["dry-run"]) {
      console.log(`would write ${path}`);
      continue;
    }
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`new: ${path}`);
  }
  if (values["dry-run"]) {
    for (const path of generated) console.log(`would write ${path}`);
    process.exit(0);
  }
  // Installs, because the lock file is another one.
  run("scripts/bootstrap.mjs");
  run("scripts/workspace.ts", "--fix");
  run("scripts/bootstrap.mjs", "oxfmt", ...lintedFiles);
  for (const line of next) console.log(line);
} catch (error) {
  console.error(`new: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
