// Bundles services and the command, each started by NAME.mjs. usage: npm run build [-- NAME...] [--outdir DIR] [--no-source-maps] [--no-cache]
import { globSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  agentConfigurationSchema,
  helmDeployerConfigurationSchema,
  helmProviderConfigurationSchema,
  landscaperConfigurationSchema,
  manifestDeployerConfigurationSchema,
  manifestProviderConfigurationSchema,
  containerDeployerConfigurationSchema,
  containerProviderConfigurationSchema,
  mockDeployerConfigurationSchema,
} from "@landscaper/api";
import { build as bundleFiles, type Plugin } from "esbuild";
import { readCommandLine, refuse } from "./command-line.ts";
import {
  buildCacheFolder,
  explainUnsafeFolder,
  openBundleCache,
  readSources,
  writeFiles,
  type BundleCache,
  type BundleFiles,
  type BundleSources,
} from "./bundle/bundle-cache.ts";
import { bundledPackages } from "./bundle/bundled-packages.ts";
import { commonjsNames, dropUnusedNames } from "./bundle/commonjs-names.ts";
import { compiledSchemas } from "./bundle/compiled-schemas.ts";
import { findImages, selectImages, type ProgramImage } from "./images/image-list.ts";
import { directImports } from "./bundle/direct-imports.ts";
import { lazyExports } from "./bundle/lazy-exports.ts";
import { lazyPackages } from "./bundle/lazy-packages.ts";
import { loadedImports } from "./bundle/loaded-imports.ts";
import { findStaleFiles, packagesFile } from "./bundle/stale-files.ts";
import { launcherOf, shortCalls } from "./launcher.ts";
import { listPackageFolders } from "./package-folders.ts";

const root = join(import.meta.dirname, "..");
const usage = `usage: npm run build [-- NAME...] [FLAGS]
  NAME               name of a program; default: all
  --outdir FOLDER    default: dist
  --no-source-maps   leaves source maps out
  --no-cache         bundles everything again. Without it, a build into dist with source maps copies cached bundles of
                     the same sources`;
const { values: flags, positionals } = readCommandLine({
  usage,
  options: {
    outdir: { type: "string", default: "dist" },
    "no-source-maps": { type: "boolean", default: false },
    "no-cache": { type: "boolean", default: false },
  },
  acceptsPositionals: true,
});
const outdir = resolve(root, flags.outdir);
if (!relative(outdir, root).startsWith("..")) {
  refuse(
    `--outdir: expected a folder that does not contain the workspace, such as dist, found "${flags.outdir}"`,
    usage,
  );
}

/** The entry of each library, by its package's name. */
const packageEntries = new Map(
  listPackageFolders(root)
    .filter((folder) => folder.startsWith("libs/"))
    .map((folder) => {
      const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { name: string };
      return [name, join(root, folder, "src/index.ts")] as const;
    }),
);

/**
 * Code of a module that takes one of Node's from process.getBuiltinModule. The code reads each property at its first use, because Node then loads the
 * modules behind many of them. Modules that export a function, such as node:events, are taken as a whole.
 */
function builtinCode(path: string): string {
  const load = `process.getBuiltinModule(${JSON.stringify(path)})`;
  const exported: unknown = process.getBuiltinModule(path);
  if (typeof exported !== "object" || exported === null || exported === process) return `module.exports = ${load};`;
  return lazyExports(load, Object.keys(exported));
}

/**
 * An import statement reads each export of a module of Node, and so loads what they are made of: of node:http and node:crypto
 * together that takes longer than an empty Node.
 */
const builtinModules: Plugin = {
  name: "builtin-modules",
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      // A split bundle would have the default export only of what is imported at run time.
      return kind === "dynamic-import" ? { path, external: true } : { path, namespace: "builtin" };
    });
    build.onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => ({ contents: builtinCode(path) }));
  },
};

/** A split bundle would have the default export only of a CommonJS package that is imported at run time: this names the others. */
const namedExports = (codeFor: (source: string) => string): Plugin => ({
  name: "named-exports",
  setup(build) {
    build.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind, resolveDir }) => {
      if (kind !== "dynamic-import" || isBuiltin(path)) return undefined;
      const file = createRequire(join(resolveDir, "importer.js")).resolve(path);
      const names = Object.keys((await import(pathToFileURL(file).href)) as object);
      // Node's mark of a CommonJS module.
      if (!names.includes("module.exports")) return undefined;
      return {
        path: file,
        namespace: "named-exports",
        pluginData: names.filter((name) => /^(?!default$)\w+$/.test(name)),
      };
    });
    build.onLoad({ filter: /^/, namespace: "named-exports" }, ({ path, pluginData }) => ({
      contents: `${codeFor(`named-exports:${path}`)}
const all = require(${JSON.stringify(path)});
export const { ${(pluginData as string[]).join(", ")} } = all;
export default all;`,
      resolveDir: dirname(path),
    }));
  },
});

/** What services check at every start: their configuration, and a provider configuration so that no job waits for its schema. */
const schemasOfStart = new Map([
  ["helm-deployer", [helmDeployerConfigurationSchema, helmProviderConfigurationSchema]],
  ["landscaper-agent", [agentConfigurationSchema, helmProviderConfigurationSchema]],
  ["landscaper-core", [landscaperConfigurationSchema]],
  ["manifest-deployer", [manifestDeployerConfigurationSchema, manifestProviderConfigurationSchema]],
  ["mock-deployer", [mockDeployerConfigurationSchema]],
  ["container-deployer", [containerDeployerConfigurationSchema, containerProviderConfigurationSchema]],
]);

/** The deployers that wait for objects on targets, and the agent, which deploys charts. */
const readinessServices: ReadonlySet<string> = new Set(["helm-deployer", "landscaper-agent", "manifest-deployer"]);

/** The threads of a service, of its own folder or of the library of its deployer; the agent has that of charts. */
function threadsOf(service: string): string[] {
  const kind = service === "landscaper-agent" ? "helm" : service.replace(/-deployer$/, "");
  const folders = [`services/${service}`, `libs/deployers/${kind}`];
  if (readinessServices.has(service)) folders.push("libs/resources");
  return globSync(`{${folders.join(",")}}/src/**/*-thread.ts`, { cwd: root }).toSorted();
}

/** Packages that few calls use. The evaluation of each takes a millisecond. */
const latePackages: readonly string[] = ["@landscaper/x509", "bcryptjs", "re2js"];

/** Commands whose start matters most. The bench cli and the suite module-loading measure it. */
const leanCommands: ReadonlySet<string> = new Set(["libs/cli/src/helm/template/template-command.ts"]);

interface BundledProgram {
  /** Contents by paths relative to the output folder. */
  readonly files: BundleFiles;
  /** Files of this workspace that the bundles were made of, relative to the root. */
  readonly inputs: readonly string[];
}

/** Bundles one program into its own files. Code that only some calls need is in separate chunks. */
async function bundle({ name, main }: ProgramImage): Promise<BundledProgram> {
  const threads = threadsOf(name).map((file) => [basename(file, ".ts"), file]);
  const options = {
    absWorkingDir: root,
    entryPoints: Object.fromEntries([[name, main], ...threads]),
    // Threads are started by their files' names beside the code that starts them, which a chunk may contain.
    outdir: join(outdir, "bundles", name),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    sourcemap: !flags["no-source-maps"],
    metafile: true,
    // Class names appear in errors and logs.
    keepNames: true,
    banner: { js: commonjsNames },
    logLevel: "warning",
  } as const;
  const pluginsWith = (codeFor: (source: string) => string): Plugin[] => [
    builtinModules,
    lazyPackages(latePackages),
    namedExports(codeFor),
    compiledSchemas(schemasOfStart.get(name) ?? []),
    directImports((library) => (latePackages.includes(library) ? undefined : packageEntries.get(library))),
  ];
  const draft = await bundleFiles({ ...options, plugins: pluginsWith(() => ""), write: false });
  const started = new Set([main, ...threadsOf(name)]);
  const loaded = loadedImports({ metafile: draft.metafile, started, lean: leanCommands }, root);
  const plugins = [loaded.plugin, ...pluginsWith(loaded.codeFor)];
  const { metafile, outputFiles } = await bundleFiles({ ...options, plugins, write: false });
  const files = new Map([
    [`${name}.mjs`, launcherOf(name, name === "landscaper" ? shortCalls : [])],
    [join("bundles", name, packagesFile), `${JSON.stringify(bundledPackages(metafile, root), undefined, 2)}\n`],
    ...outputFiles.map(({ path, text }) => [relative(outdir, path), dropUnusedNames(text)] as const),
  ]);
  writeFiles(outdir, files);
  // Plugins name their modules with a namespace: "builtin:node:fs".
  const isOwn = (file: string): boolean => !/^[a-z-]+:|(?:^|\/)node_modules\//.test(file);
  return { files, inputs: Object.keys(metafile.inputs).filter(isOwn) };
}

/** True for developer builds. Released bundles (`--outdir`, `--no-source-maps`) never come from the cache. */
const usesCache = !flags["no-cache"] && !flags["no-source-maps"] && outdir === join(root, "dist");

interface SourceCache {
  readonly sources: BundleSources;
  readonly cache: BundleCache;
}

/** Opens the cache for the present sources; undefined if this build cannot use it. Prints the reason to stderr if the user can change it. */
function openCache(): SourceCache | undefined {
  if (!usesCache) return undefined;
  try {
    const folder = buildCacheFolder();
    const sources = readSources(root);
    if (sources === undefined) return undefined;
    const unsafe = explainUnsafeFolder(folder, statSync(folder, { throwIfNoEntry: false }), process.getuid?.());
    if (unsafe === undefined) return { sources, cache: openBundleCache(folder, sources.hash) };
    console.error(`The build does not use its cache. ${unsafe}`);
  } catch (error) {
    console.error(
      `The build does not use its cache: ${messageOf(error)}. Correct this, or set LANDSCAPER_BUILD_CACHE to a folder that you can read and write.`,
    );
  }
  return undefined;
}

/** Caches bundled programs unless a source has changed while they were bundled. */
function cacheBundles({ sources, cache }: SourceCache, bundled: ReadonlyMap<string, BundledProgram>): void {
  if (bundled.size === 0) return;
  try {
    if (!sources.isUnchanged()) return;
    for (const [program, { files, inputs }] of bundled) {
      // The hash does not cover files that git ignores, or files of other folders.
      if (inputs.every((file) => sources.has(file))) cache.store(program, files);
    }
  } catch (error) {
    console.error(
      `The bundles in dist are complete, but could not be cached: ${messageOf(error)}. Free disk space, or set LANDSCAPER_BUILD_CACHE.`,
    );
  }
}

/** Writes the bundles of all programs, from the cache if possible. Returns the paths of the files, relative to the output folder. */
async function buildPrograms(chosen: readonly ProgramImage[]): Promise<readonly string[]> {
  const open = openCache();
  const bundled = new Map<string, BundledProgram>();
  const buildOrRestore = async (program: ProgramImage): Promise<readonly string[]> => {
    const restored = open?.cache.restore(program.name, outdir);
    if (restored !== undefined) return restored;
    const result = await bundle(program);
    bundled.set(program.name, result);
    return [...result.files.keys()];
  };
  const files = (await Promise.all(chosen.map(buildOrRestore))).flat();
  if (open !== undefined) cacheBundles(open, bundled);
  return files;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

let programs: readonly ProgramImage[];
try {
  programs = selectImages(findImages(root), positionals);
} catch (error) {
  console.error(messageOf(error));
  process.exit(2);
}
const written = new Set(await buildPrograms(programs));
const names = positionals.length === 0 ? undefined : programs.map(({ name }) => name);
for (const file of findStaleFiles(outdir, { written, programs: names })) rmSync(join(outdir, file));
rmSync(join(outdir, "compile-cache"), { recursive: true, force: true });
console.log(`built ${programs.map(({ name }) => join(relative(root, outdir), `${name}.mjs`)).join(", ")}`);
