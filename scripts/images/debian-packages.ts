import { existsSync } from "node:fs";
import type { BasePackage } from "./base-contents.ts";
import { tryCommand } from "../run-command.ts";

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

/** The texts of licences that a package of Debian brings. */
const copyrightFile = (name: string): string => `/usr/share/doc/${name}/copyright`;

/** A package of Debian in a software bill of materials. */
export function describeDebianPackage({ name, version, architecture }: DebianPackage): BasePackage {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { name, version, purl };
}

/** Names of a file for dpkg, which knows it by the one that it was installed with: `/lib` may be a link to `/usr/lib`. */
export const namesOf = (file: string): string[] =>
  file.startsWith("/usr/lib") ? [file, file.slice("/usr".length)] : [file, `/usr${file}`];

/** The package of Debian that has brought a file of this machine; undefined where none has, or where there is no dpkg. */
export function packageOfFile(file: string): DebianPackage | undefined {
  for (const name of namesOf(file)) {
    // "libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6"
    const [found] = tryCommand(["dpkg-query", "--search", name])?.split(": ") ?? [];
    if (found !== undefined) return packageByName(found);
  }
  return undefined;
}

/** A package that is installed on this machine. */
export function packageByName(name: string): DebianPackage | undefined {
  const format = "${Package}\\t${Version}\\t${Architecture}";
  const answer = tryCommand(["dpkg-query", "--show", `--showformat=${format}`, name]);
  if (answer === undefined) return undefined;
  const [packageName = "", version = "", architecture = ""] = answer.split("\t");
  return { name: packageName, version, architecture };
}

/** Adds the copyright file of a package where this machine has it. */
export function addCopyright(files: Map<string, string>, name: string): void {
  const path = copyrightFile(name);
  if (existsSync(path)) files.set(path, path);
}
