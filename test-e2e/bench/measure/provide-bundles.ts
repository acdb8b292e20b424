import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { listBundleSources } from "../../../scripts/bundle/bundle-cache.ts";

/** Returns true if the bundles of all programs are newer than their sources. */
export function areBundlesCurrent(root: string, programs: readonly string[]): boolean {
  const bundles = programs.map((name) => join(root, "dist", `${name}.mjs`));
  if (!bundles.every((bundle) => existsSync(bundle))) return false;
  const oldest = Math.min(...bundles.map((bundle) => statSync(bundle).mtimeMs));
  const sources = listBundleSources(root);
  return sources !== undefined && sources.every((file) => statSync(join(root, file)).mtimeMs < oldest);
}

/** Builds the bundles of `dist/` unless they are current: other processes may be running them. Throws if the build fails. */
export function provideBundles(root: string, programs: readonly string[]): void {
  if (areBundlesCurrent(root, programs)) return;
  const { status } = spawnSync(process.execPath, ["scripts/build.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`scripts/build.ts ended with status ${status}; its lines above say why`);
}
