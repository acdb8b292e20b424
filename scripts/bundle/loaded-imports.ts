// Reduces the number of files of a bundle. esbuild puts source files into one file if the same entries reach them, and treats each file that is imported
// at run time as an entry. The importers of such an entry have already loaded some files. With this plugin, the entry reaches these files, too.
import { join, relative } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { joinFiles } from "./join-files.ts";

type Names = ReadonlySet<string>;

/** Source files that are loaded once an entry is loaded, by entry: its own, and those that its importers always load before it. */
export type LoadedFiles = ReadonlyMap<string, Names>;

/** A bundle that esbuild made without the plugin. */
interface Bundle {
  readonly metafile: Pick<Metafile, "outputs">;
  /** Entries that start a program or a thread. */
  readonly started: Names;
}

/** An output file that is an entry. */
interface Entry {
  readonly source: string;
  /** Source files in the output files that it loads. */
  readonly loads: Names;
  /** Output files that these import at run time. */
  readonly laterImports: Names;
}

function readEntry({ outputs }: Pick<Metafile, "outputs">, name: string): Entry {
  const names = new Set([name]);
  const later = new Set<string>();
  // Iterating a Set includes names that are added meanwhile.
  for (const each of names) {
    for (const { path, kind } of outputs[each]?.imports ?? []) (kind === "dynamic-import" ? later : names).add(path);
  }
  const sources = [...names].flatMap((each) => Object.keys(outputs[each]?.inputs ?? {}));
  return { source: outputs[name]?.entryPoint ?? "", loads: new Set(sources), laterImports: later };
}

function intersect(sets: readonly Names[]): Names {
  const [first = new Set<string>(), ...rest] = sets;
  return new Set([...first].filter((name) => rest.every((set) => set.has(name))));
}

/** Finds the files that are loaded once an entry is loaded. Files of its importers, and files loaded before these, count if they are common to all importers. */
export function findLoadedFiles({ metafile, started }: Bundle): LoadedFiles {
  const names = Object.keys(metafile.outputs).filter((name) => metafile.outputs[name]?.entryPoint !== undefined);
  const entries = new Map(names.map((name) => [name, readEntry(metafile, name)]));
  const all = new Set([...entries.values()].flatMap(({ loads }) => [...loads]));
  const before = new Map<string, Names>();
  for (const { source } of entries.values()) before.set(source, started.has(source) ? new Set() : all);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [name, { source }] of entries) {
      if (started.has(source)) continue;
      const importers = [...entries.values()].filter(({ laterImports }) => laterImports.has(name));
      const found = intersect(importers.map((one) => new Set([...(before.get(one.source) ?? []), ...one.loads])));
      isChanged ||= found.size !== before.get(source)?.size;
      before.set(source, found);
    }
  }
  const loaded = [...entries.values()].map(
    ({ source, loads }) => [source, new Set([...(before.get(source) ?? []), ...loads])] as const,
  );
  return new Map(loaded);
}

/** Finds the files that esbuild evaluates when they are first required, and their imports. An import statement would evaluate them immediately. */
function findRequired(inputs: Metafile["inputs"]): Names {
  const required = new Set(Object.keys(inputs).filter((file) => inputs[file]?.format === "cjs"));
  for (const { imports } of Object.values(inputs)) {
    for (const { path, kind } of imports) if (kind === "require-call") required.add(path);
  }
  // Iterating a Set includes names that are added meanwhile.
  for (const file of required) {
    for (const { path, kind } of inputs[file]?.imports ?? []) if (kind === "import-statement") required.add(path);
  }
  return required;
}

const namespace = "loaded-imports";

/** Makes the entries of a bundle refer to the files that are loaded before them. */
export interface LoadedImports {
  /** Returns code for an entry, by its name in the metafile. The code refers to the loaded files without evaluating them. */
  readonly codeFor: (source: string) => string;
  /** Adds the code to entries that are ES modules. Other plugins must add it to the entries that they generate. */
  readonly plugin: Plugin;
}

export function loadedImports(
  { metafile, started, lean }: { readonly metafile: Metafile; readonly started: Names; readonly lean: Names },
  root: string,
): LoadedImports {
  const { inputs, outputs } = metafile;
  const sizes = new Map<string, number>();
  for (const output of Object.values(outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) sizes.set(file, bytesInOutput);
  }
  const loadedFiles = joinFiles({
    loads: findLoadedFiles({ metafile, started }),
    fixed: started,
    lean,
    sizeOf: (file) => sizes.get(file) ?? 0,
    importsOf: (file) =>
      (inputs[file]?.imports ?? []).flatMap(({ path, kind }) => (kind === "dynamic-import" ? [] : [path])),
  });
  const exportsOf = new Map(Object.values(outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
  const evaluatedLater = findRequired(inputs);
  const referTo = (file: string, index: number): string => {
    const isBuiltin = file.startsWith("builtin:");
    const path = JSON.stringify(isBuiltin ? file.slice("builtin:".length) : join(root, file));
    if (isBuiltin || evaluatedLater.has(file)) return `() => require(${path});`;
    return `import * as file${index} from ${path};`;
  };
  const codeFor = (source: string): string => {
    // A started entry may be awaiting this import: referring to it would be a deadlock.
    const isReferable = (file: string): boolean =>
      file !== source && !started.has(file) && /^(?:builtin:.*|[^:]+)$/.test(file);
    return [...(loadedFiles.get(source) ?? [])].filter(isReferable).map(referTo).join("\n");
  };
  const plugin: Plugin = {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^[.@a-z]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === namespace) return undefined;
        const found = await build.resolve(path, { kind, resolveDir, pluginData: namespace });
        const isModule = found.namespace === "file" && inputs[relative(root, found.path)]?.format === "esm";
        return isModule ? { path: found.path, namespace } : undefined;
      });
      build.onLoad({ filter: /^/, namespace }, ({ path }) => {
        const source = relative(root, path);
        const from = JSON.stringify(path);
        const standard = exportsOf.get(source)?.includes("default") === true ? `export { default } from ${from};` : "";
        return { contents: [codeFor(source), `export * from ${from};`, standard].join("\n"), resolveDir: root };
      });
    },
  };
  return { codeFor, plugin };
}
