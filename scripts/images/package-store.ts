import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runCommand } from "../run-command.ts";

/** A package of the npm registry as one file. */
export interface PackedPackage {
  /** Path of the archive. */
  readonly file: string;
  /** Subresource integrity: "sha512-...". */
  readonly integrity: string;
}

/** Fetches a package, such as "pnpm@10.34.8", into a folder. */
export function packPackage(specifier: string, folder: string): PackedPackage {
  mkdirSync(folder, { recursive: true });
  const answer = runCommand(["npm", "pack", specifier, "--json", "--pack-destination", folder]);
  const [packed] = JSON.parse(answer) as readonly { readonly filename: string; readonly integrity: string }[];
  if (packed === undefined) throw new Error(`npm pack ${specifier}: expected a package, found none`);
  // Scopes are part of the file's name in a form of npm's own; the packages here have none.
  return { file: join(folder, packed.filename), integrity: packed.integrity };
}

/** Unpacks a package's archive into a folder; all its files are below `package/` in the archive. */
export function unpackPackage(file: string, folder: string, members: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true });
  const wanted = members.map((member) => `package/${member}`);
  runCommand(["tar", "-xzf", file, "-C", folder, "--strip-components=1", ...wanted]);
}

export interface StoreOptions {
  /** Of the repository. */
  readonly root: string;
  /** Receives `store` and `pnpm`, both part of the build context. */
  readonly cache: string;
}

/**
 * Fetches what a build needs of the npm registry: the product packages of the lock file into a store of pnpm, and pnpm. Does nothing when they are
 * those of the lock file already.
 */
export function fillStore({ root, cache }: StoreOptions): void {
  const inputs = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  const hash = createHash("sha256");
  for (const file of inputs) hash.update(readFileSync(join(root, file)));
  const wanted = hash.digest("hex");
  const marker = join(cache, "store-of");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;

  const scratch = mkdtempSync(join(cache, "fetch-"));
  try {
    const [store, pnpm] = [join(scratch, "store"), join(scratch, "pnpm")];
    const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      packageManager: string;
    };
    unpackPackage(packPackage(packageManager, scratch).file, pnpm);
    for (const file of inputs) copyFileSync(join(root, file), join(scratch, file));
    const fetching = ["fetch", "--prod", "--ignore-scripts", "--reporter=append-only", `--store-dir=${store}`];
    const env = { ...process.env, CI: "true" };
    runCommand([process.execPath, join(pnpm, "bin/pnpm.cjs"), ...fetching], { cwd: scratch, env });
    for (const name of ["store", "pnpm"]) {
      rmSync(join(cache, name), { recursive: true, force: true });
      renameSync(join(scratch, name), join(cache, name));
    }
    writeFileSync(marker, wanted);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
