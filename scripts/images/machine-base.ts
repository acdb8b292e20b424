// The base image for the architecture of this machine: its Node, and what that links.
import { existsSync, realpathSync } from "node:fs";
import { addCopyright, describeDebianPackage, packageByName, packageOfFile } from "./debian-packages.ts";
import type { BaseContents, BasePackage } from "./base-contents.ts";
import { runCommand } from "../run-command.ts";

/** Where Node is in every image. */
export const nodePath = "/usr/local/bin/node";
/** The authorities that the machine trusts, as one file, where Debian and others keep them. */
const authorities = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"];
export const authoritiesPath = "/etc/ssl/certs/ca-certificates.crt";

/** The shared libraries in the output of `ldd`, the loader included. Throws for one that is missing. */
export function parseLibraries(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .flatMap((line) => {
      if (line.includes("not found")) throw new Error(`a shared library of Node is missing: ${line}`);
      const path = /(?:^|=> )(\/\S+) \(0x/.exec(line)?.[1];
      return path === undefined ? [] : [path];
    })
    .toSorted();
}

/** Node in a software bill of materials. */
export function describeNode(version: string): BasePackage {
  return { name: "node", version, purl: `pkg:generic/node@${version}`, license: "MIT" };
}

/** Adds the authorities of this machine, which are the same for every architecture. */
export function addAuthorities(files: Map<string, string>): BasePackage[] {
  const found = authorities.find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(
      `certificates of authorities: expected one of ${authorities.join(", ")}, found none; install ca-certificates`,
    );
  }
  files.set(found, authoritiesPath);
  const owner = packageByName("ca-certificates");
  if (owner === undefined) return [];
  addCopyright(files, owner.name);
  return [describeDebianPackage(owner)];
}

/** The Node that runs this script, its shared libraries and the authorities of this machine. */
export function machineBase(): BaseContents {
  const files = new Map([[process.execPath, nodePath]]);
  const packages = new Map<string, BasePackage>([["node", describeNode(process.version.slice(1))]]);
  for (const library of parseLibraries(runCommand(["ldd", process.execPath]))) {
    const file = realpathSync(library);
    files.set(library, library);
    const owner = packageOfFile(library) ?? packageOfFile(file);
    if (owner === undefined) {
      packages.set(library, { name: library, version: "unknown", purl: `pkg:generic${library}` });
    } else {
      packages.set(owner.name, describeDebianPackage(owner));
      addCopyright(files, owner.name);
    }
  }
  return { files, packages: [...packages.values(), ...addAuthorities(files)] };
}
