import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { parse } from "yaml";
import { listPackageFolders, packagePatterns } from "./package-folders.ts";

const root = join(import.meta.dirname, "..");

it("packagePatterns are those of pnpm", () => {
  const { packages } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")) as { readonly packages: unknown };
  expect(packages).toEqual(packagePatterns);
});

it("listPackageFolders returns the folders of packages, not those of groups", () => {
  const folders = listPackageFolders(root);
  expect(folders).toEqual(
    expect.arrayContaining(["libs/api", "libs/deployers/helm", "services/helm-deployer", "test-e2e"]),
  );
  expect(folders).not.toContain("libs/deployers");
  expect(folders).toEqual(folders.toSorted());
});
