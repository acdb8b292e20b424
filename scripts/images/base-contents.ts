import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A program or library of the base image that does not come from a bundle. */
export interface BasePackage {
  readonly name: string;
  readonly version: string;
  /** Package URL (https://github.com/package-url/purl-spec). */
  readonly purl: string;
  /** SPDX expression, where one is known; the texts of Debian's packages are in `/usr/share/doc` of the image. */
  readonly license?: string;
}

/** What a base image is made of. */
export interface BaseContents {
  /** Paths in the image by paths of this machine. */
  readonly files: ReadonlyMap<string, string>;
  readonly packages: readonly BasePackage[];
}

/** The user of all our images. */
const user = 65_532;

const texts: Readonly<Record<string, string>> = {
  "/etc/passwd": `root:x:0:0:root:/:/sbin/nologin\nlandscaper:x:${user}:${user}:landscaper:/nonexistent:/sbin/nologin\n`,
  "/etc/group": `root:x:0:\nlandscaper:x:${user}:\n`,
  "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

const isProgram = (path: string): boolean => /^\/usr\/local\/bin\/|\/ld-linux[^/]*$/.test(path);

/** Writes the files of a base image below `folder`, with modes that depend neither on this machine nor on its umask. */
export function writeBase({ files }: BaseContents, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const made = new Set<string>();
  function makeFolder(path: string): void {
    if (made.has(path)) return;
    if (path !== "/") makeFolder(dirname(path));
    mkdirSync(join(folder, path), { recursive: true });
    chmodSync(join(folder, path), path === "/tmp" ? 0o1777 : 0o755);
    made.add(path);
  }
  for (const [from, to] of files) {
    makeFolder(dirname(to));
    copyFileSync(from, join(folder, to));
    chmodSync(join(folder, to), isProgram(to) ? 0o755 : 0o644);
  }
  for (const [path, text] of Object.entries(texts)) {
    makeFolder(dirname(path));
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o644);
  }
  makeFolder("/tmp");
}
