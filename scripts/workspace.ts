// Checks tsconfig files, the lock file, import directions and their table in ARCHITECTURE.md, jest imports, the product version, where tests are, skipped tests and test timeouts.
// usage: node scripts/workspace.ts [--fix]
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { checkArchitecture } from "./architecture-rows.ts";
import { readCommandLine } from "./command-line.ts";
import { checkJestImports, readWorkspace } from "./jest-imports.ts";
import {
  checkImports,
  findImports,
  findSupportFiles,
  isProduct,
  testPackages,
  type ImportingPackage,
  type Sources,
} from "./source-imports.ts";
import { checkTimeouts } from "./test-run/short-timeouts.ts";
import { checkSkips } from "./test-run/skipped-tests.ts";
import { listTestFiles } from "./test-run/test-files.ts";
import { checkTestPlaces } from "./test-run/test-places.ts";
import { checkLockfile, type DependencyManifest } from "./check-lockfile.ts";
import { listPackageFolders } from "./package-folders.ts";
import { listWorkingTree } from "./working-tree.ts";

interface Package extends ImportingPackage {
  readonly dir: string;
  /** Paths by what stands behind the package's name in an import: "." or "./testing". */
  readonly exports: Readonly<Record<string, string>>;
  readonly sources: Sources;
}

/** Lower layers know nothing of higher ones; a package may import from strictly lower layers, or the pairs named below. */
const layers: readonly (readonly string[])[] = [
  ["@landscaper/json"],
  ["@landscaper/api", "@landscaper/budget"],
  [
    "@landscaper/cel",
    "@landscaper/egress",
    "@landscaper/goyaml",
    "@landscaper/jsonpath",
    "@landscaper/patch",
    "@landscaper/threads",
    "@landscaper/x509",
  ],
  ["@landscaper/golang"],
  ["@landscaper/gotemplate", "@landscaper/spiff", "@landscaper/oci", "@landscaper/ocm"],
  ["@landscaper/chart-source"],
  ["@landscaper/components"],
  ["@landscaper/blueprint", "@landscaper/helm"],
  ["@landscaper/controller-runtime", "@landscaper/local-cluster"],
  ["@landscaper/testkit"],
  ["@landscaper/events", "@landscaper/resources"],
  ["@landscaper/deployer", "@landscaper/helm-release"],
  ["@landscaper/container-deployer-lib", "@landscaper/manifest-deployer-lib", "@landscaper/mock-deployer-lib"],
  ["@landscaper/helm-deployer-lib"],
  [
    "@landscaper/landscaper-agent",
    "@landscaper/landscaper-core",
    "@landscaper/container-deployer",
    "@landscaper/helm-deployer",
    "@landscaper/manifest-deployer",
    "@landscaper/mock-deployer",
    "@landscaper/cli",
  ],
  ["@landscaper/test-e2e"],
];
/** Only these may use the embedded API server at run time; everybody may in tests. */
const localClusterUsers = new Set(["@landscaper/cli", "@landscaper/test-e2e", "@landscaper/testkit"]);
const localClusterMayUse = new Set([
  "@landscaper/json",
  "@landscaper/api",
  "@landscaper/patch",
  "@landscaper/jsonpath",
  "@landscaper/goyaml",
  "@landscaper/cel",
  // Not a second writer of certificates: docs/adr/0012-x509-library.md.
  "@landscaper/x509",
  // Not a second table of the TLS errors of Node.js.
  "@landscaper/egress",
]);

const root = join(import.meta.dirname, "..");
const { fix } = readCommandLine({
  usage: `usage: node scripts/workspace.ts [--fix]
  --fix  writes the generated files instead of comparing them`,
  options: { fix: { type: "boolean", default: false } },
}).values;
const problems: string[] = [];

function readPackages(): Package[] {
  return listPackageFolders(root).map((dir) => {
    const manifest = JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) as {
      name: string;
      exports?: Record<string, string>;
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    const runtime = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith("@landscaper/"));
    const dev = Object.keys(manifest.devDependencies ?? {}).filter((name) => name.startsWith("@landscaper/"));
    const exported = Object.entries(manifest.exports ?? {}).map(([key, path]) => [key, path.replace("./", "")]);
    const exports: Record<string, string> = Object.fromEntries(exported);
    const all = [...runtime, ...dev].toSorted();
    return { dir, name: manifest.name, exports, runtime, all, sources: readSources(dir) };
  });
}

function readSources(dir: string): Sources {
  const exclude = ["**/node_modules/**", "**/dist/**", "testdata/**"];
  const files = globSync("**/*.ts", { cwd: join(root, dir), exclude }).toSorted();
  return new Map(files.map((file) => [file, readFileSync(join(root, dir, file), "utf8")]));
}

function layerOf(name: string): number {
  const index = layers.findIndex((layer) => layer.includes(name));
  if (index < 0) problems.push(`scripts/workspace.ts: ${name} stands in no layer; add it`);
  return index;
}

function checkDirection(pkg: Package): void {
  const own = layerOf(pkg.name);
  for (const dependency of pkg.runtime) {
    if (layerOf(dependency) >= own)
      problems.push(
        `${pkg.dir}/package.json: ${pkg.name} may not depend on ${dependency}, which is in the same layer or a higher one; drop the import, or move ${pkg.name} in \`layers\` of scripts/workspace.ts and in ARCHITECTURE.md`,
      );
    if (dependency === "@landscaper/local-cluster" && !localClusterUsers.has(pkg.name)) {
      problems.push(`${pkg.dir}/package.json: only tests may use ${dependency}; make it a devDependency`);
    }
    if (testPackages.has(dependency) && !testPackages.has(pkg.name)) {
      problems.push(`${pkg.dir}/package.json: only tests may use ${dependency}; make it a devDependency`);
    }
    if (pkg.name === "@landscaper/local-cluster" && !localClusterMayUse.has(dependency)) {
      problems.push(`${pkg.dir}/package.json: ${pkg.name} may not depend on ${dependency}`);
    }
  }
}

/** Files of `src/` that are used by path: by programs of `scripts/`, and as threads. */
function entriesOf(pkg: Package): string[] {
  const byScripts = [...scripts].flatMap(([path, text]) =>
    findImports(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => relative(join(root, pkg.dir), join(root, "scripts", dirname(path), specifier))),
  );
  const threads = [...pkg.sources.keys()].filter((path) => path.endsWith("-thread.ts"));
  const exported = Object.entries(pkg.exports).filter(([name]) => !name.startsWith("./testing"));
  return ["src/main.ts", "src/init.ts", "src/wait.ts", ...exported.map(([, path]) => path), ...byScripts, ...threads];
}

function checkSources(pkg: Package): void {
  const found = [...pkg.sources].flatMap(([path, text]) => checkImports(pkg, path, text));
  const support = testPackages.has(pkg.name) ? [] : findSupportFiles(pkg.sources, entriesOf(pkg));
  problems.push(
    ...found.map((problem) => `${pkg.dir}/${problem}`),
    ...support.map((path) => `${pkg.dir}/${path}: no product code uses it; move it to ${pkg.dir}/test`),
  );
}

/** The project of the product code, and that of the tests, which sees it from outside as other packages do. */
function checkProjects(pkg: Package): void {
  const up = relative(pkg.dir, ".");
  const references = (names: readonly string[]): string[] => names.map((name) => byName.get(name)?.dir ?? name);
  const isSuite = pkg.dir === "test-e2e";
  const hasTests = testsOf(pkg).length > 0;
  const testing = [...new Set([...pkg.sources.values()].flatMap(testingIn))]
    .filter((dir) => dir !== pkg.dir)
    .toSorted();
  const toPaths = (from: string, dirs: readonly string[]) => dirs.map((dir) => ({ path: relative(from, dir) }));
  const tests = `${pkg.dir}/test`;
  writeOrCompare(`${pkg.dir}/tsconfig.json`, {
    extends: `${up}/tsconfig.base.json`,
    compilerOptions: { rootDir: isSuite ? "." : "src", outDir: "dist", tsBuildInfoFile: "dist/.tsbuildinfo" },
    include: isSuite ? ["**/*.ts"] : ["src"],
    exclude: ["dist", "node_modules", ...(isSuite ? [] : ["src/**/*.test.ts"])],
    references: isSuite
      ? toPaths(pkg.dir, [...references(pkg.all), ...testing.map((dir) => `${dir}/test`), "scripts"])
      : toPaths(pkg.dir, references(pkg.runtime)),
  });
  if (isSuite || !hasTests) return;
  writeOrCompare(`${tests}/tsconfig.json`, {
    extends: `../${up}/tsconfig.base.json`,
    compilerOptions: { rootDir: "..", outDir: "../dist/test", tsBuildInfoFile: "../dist/test/.tsbuildinfo" },
    include: [".", "../src/**/*.test.ts", "../src/**/*.d.ts"],
    references: toPaths(tests, [pkg.dir, ...references(pkg.all), ...testing.map((dir) => `${dir}/test`)]),
  });
}

/** Folders of the packages whose fixtures the text imports. */
function testingIn(text: string): string[] {
  const names = findImports(text).flatMap((specifier) => /^(@landscaper\/[^/]+)\/testing/.exec(specifier)?.[1] ?? []);
  return names.map((name) => byName.get(name)?.dir ?? name);
}

function testsOf({ sources }: Package): string[] {
  return [...sources.keys()].filter((path) => path.startsWith("test/") || path.endsWith(".test.ts"));
}

function writeOrCompare(path: string, value: unknown): void {
  writeOrCompareText(path, `${JSON.stringify(value, null, 2)}\n`);
}

function writeOrCompareText(path: string, text: string): void {
  const found = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
  if (found === text) return;
  if (fix) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  } else problems.push(`${path}: differs from package.json; run: npm run generate`);
}

interface Versions {
  readonly version?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The one version of the product, and that of Node, are those of the root's package.json; sources get the first as a constant. */
function checkVersion(): void {
  const read = (file: string): Versions => JSON.parse(readFileSync(join(root, file), "utf8")) as Versions;
  for (const { dir } of packages) {
    if (read(`${dir}/package.json`).version === undefined) continue;
    problems.push(`${dir}/package.json: expected no version; that of the product is in package.json of the root`);
  }
  const { version = "", devDependencies = {} } = read("package.json");
  const { node = "" } = devDependencies;
  writeOrCompareText(".nvmrc", `${node}\n`);
  writeOrCompareText(
    "libs/api/src/product-version.ts",
    `/** Version of the product. Generated by npm run generate from package.json; do not edit. */
export const productVersion = ${JSON.stringify(version)};
`,
  );
}

/** `npm run setup` compares only the package.json of the root with the lockfile: other packages would fail first in CI. */
function checkLockfileOfPackages(): void {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const { packageManager } = JSON.parse(read("package.json")) as { readonly packageManager: string };
  const folders = [".", ...packages.map(({ dir }) => dir)];
  const manifests = folders.map((dir) => [dir, JSON.parse(read(`${dir}/package.json`)) as DependencyManifest] as const);
  const found = checkLockfile(read("pnpm-lock.yaml"), new Map(manifests));
  if (found.length > 0)
    problems.push(...found, `pnpm-lock.yaml: to update it, run: npx --yes ${packageManager} install`);
}

const scripts = readSources("scripts");
const packages = readPackages();
const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));
for (const pkg of packages) {
  checkDirection(pkg);
  checkSources(pkg);
  checkProjects(pkg);
  for (const [path, text] of pkg.sources) {
    if (isProduct(pkg, path)) continue;
    problems.push(...checkSkips(`${pkg.dir}/${path}`, text), ...checkTimeouts(`${pkg.dir}/${path}`, text));
  }
}
for (const [path, text] of scripts) {
  problems.push(...checkSkips(`scripts/${path}`, text));
  // Its cases are short timeouts.
  if (path !== "test-run/short-timeouts.test.ts") problems.push(...checkTimeouts(`scripts/${path}`, text));
}
problems.push(...checkJestImports(readWorkspace(root)));
// Without git, such as in an archive of the sources, ignored files cannot be told from others.
problems.push(...checkTestPlaces(listWorkingTree(root) ?? [], listTestFiles()));
problems.push(
  ...checkArchitecture(
    readFileSync(join(root, "ARCHITECTURE.md"), "utf8"),
    layers.map((layer) => layer.map((name) => byName.get(name)?.dir ?? name)),
  ),
);
checkVersion();
checkLockfileOfPackages();
writeOrCompare("scripts/tsconfig.json", {
  extends: "../tsconfig.base.json",
  compilerOptions: { rootDir: ".", outDir: "../dist/scripts", tsBuildInfoFile: "../dist/scripts/.tsbuildinfo" },
  include: ["."],
  references: ["api", "cli", "components", "helm", "testkit"].map((name) => ({ path: `../libs/${name}` })),
});
writeOrCompare("tsconfig.json", {
  files: [],
  references: [
    ...packages.map((pkg) => ({ path: pkg.dir })),
    ...packages
      .filter((pkg) => pkg.dir !== "test-e2e" && testsOf(pkg).length > 0)
      .map((pkg) => ({ path: `${pkg.dir}/test` })),
    { path: "scripts" },
  ],
});

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`workspace: ${packages.length} packages, imports and references in step`);
