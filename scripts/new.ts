// Adds a package or a deployer to the workspace: files, lock file, references. usage: npm run new -- deployer|package NAME
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseRequest, planAddition, type Workspace } from "./new/plan-addition.ts";

const root = join(import.meta.dirname, "..");

const workspace: Workspace = {
  packageNames: globSync("{libs/*,libs/deployers/*,services/*,test-e2e}/package.json", { cwd: root }).map((file) => {
    const { name } = JSON.parse(readFileSync(join(root, file), "utf8")) as { name: string };
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

try {
  const { files, lintedFiles, next } = planAddition(parseRequest(process.argv.slice(2)), workspace);
  for (const { path, content } of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`new: ${path}`);
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
