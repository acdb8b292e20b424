// Lets bundles evaluate packages when something of them is first used.
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

const namespace = "lazy-packages";

/** Code of a module that evaluates the module `path` when one of `names` is first read. */
function lazyCode(path: string, names: readonly string[]): string {
  return `let loaded;
for (const name of ${JSON.stringify(names)}) {
  Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= require(${JSON.stringify(path)}))[name] });
}`;
}

/** The plugin that delays the evaluation of `packages`: ES modules that import no module of the workspace, because esbuild delays what they import, too. */
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
        return { contents: lazyCode(path, names), resolveDir: dirname(path) };
      });
    },
  };
}
