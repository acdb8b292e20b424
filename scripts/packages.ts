// Builds the packages that other deployers are made of, as JavaScript with types, and packs them into dist/packages/*.tgz. usage: npm run packages [-- --dry-run]
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { readCommandLine } from "./command-line.ts";
import { runCommand } from "./run-command.ts";
import { closureOf, packedManifest, type PackedPackage, type WorkspaceManifest } from "./package-manifest.ts";

const { values: flags } = readCommandLine({
  usage: `usage: npm run packages [-- --dry-run]
  --dry-run  names the packages, and builds none`,
  options: { "dry-run": { type: "boolean", default: false } },
});
const root = join(import.meta.dirname, "..");
const outdir = join(root, "dist/packages");

/** Where authors begin; what these need comes with them. */
const offered: Readonly<Record<string, PackedPackage>> = {
  "@landscaper/api": { entries: ["."] },
  "@landscaper/controller-runtime": { entries: ["."] },
  "@landscaper/resources": { entries: ["."] },
  "@landscaper/deployer": {
    entries: [".", "./testing"],
    testPackages: ["@landscaper/local-cluster", "@landscaper/testkit"],
  },
};

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));

/** Folder and manifest of each library below libs/, by its name. */
const libraries = new Map(
  globSync("libs/*/package.json", { cwd: root }).map((file) => {
    const manifest = readJson(file) as WorkspaceManifest;
    return [manifest.name, { folder: basename(dirname(file)), manifest }] as const;
  }),
);
const manifests = new Map([...libraries].map(([name, { manifest }]) => [name, manifest]));

/** Compiles all of them in one program, into the folders of `libs/` below `outdir`. */
function compile(folders: readonly string[]): void {
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: {
      rootDir: "../../libs",
      outDir: ".",
      composite: false,
      incremental: false,
      emitDeclarationOnly: false,
      rewriteRelativeImportExtensions: true,
      noEmitOnError: true,
    },
    include: folders.map((folder) => `../../libs/${folder}/src`).concat("../../libs/deployer/test/index.ts"),
    exclude: ["../../libs/*/src/**/*.test.ts"],
  };
  writeFileSync(join(outdir, "tsconfig.json"), JSON.stringify(config));
  runCommand([process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", join(outdir, "tsconfig.json")]);
}

const { version } = readJson("package.json") as { readonly version: string };
const { catalog } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")) as {
  catalog: Record<string, string>;
};
const names = closureOf(
  Object.entries(offered).flatMap(([name, { testPackages = [] }]) => [name, ...testPackages]),
  manifests,
);
if (flags["dry-run"]) {
  for (const name of names) console.log(`would pack ${name}`);
  process.exit(0);
}
rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
const folderOf = (name: string): string => libraries.get(name)?.folder ?? "";
compile(names.map(folderOf));
for (const name of names) {
  const folder = join(outdir, folderOf(name));
  const manifest = manifests.get(name) as WorkspaceManifest;
  // Built for Node 24: what services and tests run on.
  const packed = packedManifest(manifest, offered[name] ?? { entries: ["."] }, { version, catalog, node: ">=24" });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(packed, undefined, 2)}\n`);
  copyFileSync(join(root, "libs", folderOf(name), "README.md"), join(folder, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  console.log(runCommand(["npm", "pack", "--silent", "--pack-destination", outdir], { cwd: folder }).trim());
}
console.log(`packages: ${names.length} of version ${version} in dist/packages`);
