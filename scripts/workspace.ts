// Keeps every package's tsconfig in step with its package.json, and guards the direction of imports (ARCHITECTURE.md) and the one version.
// usage: node scripts/workspace.ts [--fix]
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

interface Package {
  readonly dir: string;
  readonly name: string;
  readonly runtime: readonly string[];
  readonly all: readonly string[];
}

/** Lower layers know nothing of higher ones; a package may import from strictly lower layers, or the pairs named below. */
const layers: readonly (readonly string[])[] = [
  ["@landscaper/api", "@landscaper/budget"],
  [
    "@landscaper/egress",
    "@landscaper/goyaml",
    "@landscaper/jsonpath",
    "@landscaper/patch",
    "@landscaper/threads",
    "@landscaper/x509",
  ],
  ["@landscaper/golang"],
  ["@landscaper/gotemplate", "@landscaper/spiff", "@landscaper/oci", "@landscaper/ocm"],
  ["@landscaper/chart-source", "@landscaper/components"],
  ["@landscaper/blueprint", "@landscaper/helm"],
  ["@landscaper/controller-runtime", "@landscaper/events", "@landscaper/local-cluster"],
  ["@landscaper/resources"],
  ["@landscaper/deployer", "@landscaper/helm-release"],
  ["@landscaper/manifest-deployer-lib", "@landscaper/mock-deployer-lib"],
  ["@landscaper/helm-deployer-lib"],
  [
    "@landscaper/landscaper-core",
    "@landscaper/helm-deployer",
    "@landscaper/manifest-deployer",
    "@landscaper/mock-deployer",
    "@landscaper/cli",
    "@landscaper/test-e2e",
  ],
];
/** Only these may use the embedded API server at run time; everybody may in tests. */
const localClusterUsers = new Set(["@landscaper/cli", "@landscaper/test-e2e"]);
const localClusterMayUse = new Set([
  "@landscaper/api",
  "@landscaper/patch",
  "@landscaper/jsonpath",
  "@landscaper/goyaml",
  // Not a second writer of certificates: docs/adr/0012-x509-library.md.
  "@landscaper/x509",
]);

const root = join(import.meta.dirname, "..");
const fix = process.argv.includes("--fix");
const problems: string[] = [];

function readPackages(): Package[] {
  const files = globSync("{libs/*,libs/deployers/*,services/*,test-e2e}/package.json", { cwd: root });
  return files.toSorted().map((file) => {
    const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as {
      name: string;
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    const runtime = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith("@landscaper/"));
    const dev = Object.keys(manifest.devDependencies ?? {}).filter((name) => name.startsWith("@landscaper/"));
    return { dir: dirname(file), name: manifest.name, runtime, all: [...runtime, ...dev].toSorted() };
  });
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
      problems.push(`${pkg.dir}/package.json: ${pkg.name} may not depend on ${dependency}`);
    if (dependency === "@landscaper/local-cluster" && !localClusterUsers.has(pkg.name)) {
      problems.push(`${pkg.dir}/package.json: only tests may use ${dependency}; make it a devDependency`);
    }
    if (pkg.name === "@landscaper/local-cluster" && !localClusterMayUse.has(dependency)) {
      problems.push(`${pkg.dir}/package.json: ${pkg.name} may not depend on ${dependency}`);
    }
  }
}

const importPattern = /(?:from|import)\s*\(?\s*["'](@landscaper\/[^"']+)["']/g;

function checkSources(pkg: Package): void {
  for (const file of globSync("**/*.ts", { cwd: join(root, pkg.dir), exclude: ["**/node_modules/**", "**/dist/**"] })) {
    const isTest =
      /(\.test|\/testing|\/testdata\/.*|test-.*)\.ts$/.test(`/${file}`) || pkg.name === "@landscaper/test-e2e";
    for (const match of readFileSync(join(root, pkg.dir, file), "utf8").matchAll(importPattern)) {
      const specifier = match[1] ?? "";
      const [scope, name, ...rest] = specifier.split("/");
      const target = `${scope}/${name}`;
      if (rest.length > 0 && rest[0] !== "testing") {
        problems.push(`${pkg.dir}/${file}: import ${target}, not ${specifier}`);
      }
      const allowed = isTest ? pkg.all : pkg.runtime;
      if (target !== pkg.name && !allowed.includes(target)) {
        problems.push(`${pkg.dir}/${file}: ${target} is not a ${isTest ? "" : "runtime "}dependency of ${pkg.name}`);
      }
    }
  }
}

function writeOrCompare(path: string, value: unknown): void {
  writeOrCompareText(path, `${JSON.stringify(value, null, 2)}\n`);
}

function writeOrCompareText(path: string, text: string): void {
  const found = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
  if (found === text) return;
  if (fix) writeFileSync(join(root, path), text);
  else problems.push(`${path}: differs from package.json; run: npm run generate`);
}

/** The one version of the product is that of the root's package.json; sources get it as a constant. */
function checkVersion(): void {
  const read = (file: string): { version?: string } =>
    JSON.parse(readFileSync(join(root, file), "utf8")) as { version?: string };
  for (const { dir } of packages) {
    if (read(`${dir}/package.json`).version === undefined) continue;
    problems.push(`${dir}/package.json: expected no version; that of the product is in package.json of the root`);
  }
  const { version = "" } = read("package.json");
  writeOrCompareText(
    "libs/api/src/product-version.ts",
    `/** Version of the product. Generated by npm run generate from package.json; do not edit. */
export const productVersion = ${JSON.stringify(version)};
`,
  );
}

const packages = readPackages();
const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));
for (const pkg of packages) {
  checkDirection(pkg);
  checkSources(pkg);
  const references = pkg.all.map((name) => ({ path: relative(pkg.dir, byName.get(name)?.dir ?? name) }));
  const isSuite = pkg.dir === "test-e2e";
  writeOrCompare(`${pkg.dir}/tsconfig.json`, {
    extends: `${relative(pkg.dir, ".")}/tsconfig.base.json`,
    compilerOptions: { rootDir: isSuite ? "." : "src", outDir: "dist", tsBuildInfoFile: "dist/.tsbuildinfo" },
    include: isSuite ? ["**/*.ts"] : ["src"],
    exclude: ["dist", "node_modules"],
    references,
  });
}
checkVersion();
writeOrCompare("scripts/tsconfig.json", {
  extends: "../tsconfig.base.json",
  compilerOptions: { rootDir: ".", outDir: "../dist/scripts", tsBuildInfoFile: "../dist/scripts/.tsbuildinfo" },
  include: ["."],
  references: [{ path: "../libs/api" }],
});
writeOrCompare("tsconfig.json", {
  files: [],
  references: [...packages.map((pkg) => ({ path: pkg.dir })), { path: "scripts" }],
});

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`workspace: ${packages.length} packages, imports and references in step`);
