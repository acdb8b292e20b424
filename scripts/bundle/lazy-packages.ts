// Lets bundles evaluate packages when one of their exports is first used.
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { lazyExports } from "./lazy-exports.ts";

const namespace = "lazy-packages";

/** Delays the evaluation of `packages`. They must be ES modules, and must not import modules of the workspace, because esbuild delays the evaluation of their imports, too. */
export function lazyPackages(packages: readonly string[]): Plugin {
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== "import-statement" || !packages.includes(path) || pluginData === namespace) return undefined;
        const { path: file } = await build.resolve(path, { kind, resolveDir, pluginData: namespace });
        return { path: file, namespace };
      });
      build.onLoad({ filter: /^/, namespace }, async ({ path }) => {
        const names = Object.keys((await import(pathToFileURL(path).href)) as object);
        return { contents: lazyExports(`require(${JSON.stringify(path)})`, names), resolveDir: dirname(path) };
      });
    },
  };
}
