import { globSync } from "node:fs";
import { dirname } from "node:path";

/** Patterns of the folders of packages, as in `packages` of pnpm-workspace.yaml. */
export const packagePatterns: readonly string[] = ["libs/*", "libs/deployers/*", "services/*", "test-e2e"];

/** Returns the folders of all packages, relative to `root`, sorted. */
export function listPackageFolders(root: string): readonly string[] {
  const manifests = globSync(
    packagePatterns.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  return manifests.map((file) => dirname(file)).toSorted();
}
