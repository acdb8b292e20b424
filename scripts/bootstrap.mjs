// Runs a script of this workspace on the workspace's own Node, and installs everything first if the lock file, pnpm-workspace.yaml or package.json has changed.
// Plain JavaScript for Node 20: only this file and run-child.mjs run before the tools are there.
// usage: node scripts/bootstrap.mjs [SCRIPT.ts | TOOL] [ARGS...]
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "./run-child.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", "node", "bin", "node");
const bin = join(root, "node_modules", ".bin");
const marker = join(root, "node_modules", ".landscaper-install");
const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"];

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of inputs) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

async function install() {
  const wanted = fingerprint();
  if (existsSync(node) && existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.error("Installing the workspace ...");
  const { status } = await runChild(
    "npx",
    ["--yes", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, CI: "true" },
    },
  );
  if (status !== 0) {
    console.error(`The installation failed (exit ${status}); the lines above say why.`);
    process.exit(1);
  }
  writeFileSync(marker, wanted);
}

await install();
const [target, ...args] = process.argv.slice(2);
if (target !== undefined) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${bin}${delimiter}${process.env.PATH ?? ""}` };
  const isScript = /\.[mc]?[tj]s$/.test(target);
  const command = isScript ? [node, join(root, target)] : [join(bin, target)];
  try {
    const { status } = await runChild(command[0], [...command.slice(1), ...args], { cwd: root, stdio: "inherit", env });
    process.exit(status);
  } catch (error) {
    console.error(`cannot start ${target}: ${error.message}`);
    process.exit(1);
  }
}
