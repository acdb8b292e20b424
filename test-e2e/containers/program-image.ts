import { copyFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineBase } from "../../scripts/images/machine-base.ts";
import { writeBase } from "../../scripts/images/base-contents.ts";
import { writeImageArchive, writeTools } from "../cluster/node-image.ts";

export interface ProgramImageOptions {
  /** Scratch; the archive stays there. */
  readonly folder: string;
  /** A busybox without shared libraries. */
  readonly busybox: string;
  readonly tar: string;
  readonly kubectl: string;
  /** Name with tag. */
  readonly name: string;
  /** Texts by paths in the image. */
  readonly files: Readonly<Record<string, string>>;
}

/** An image with the Node of this machine, kubectl, the commands of busybox, and these files, as an OCI archive. Answers its path. */
export function writeProgramImage({ folder, busybox, tar, kubectl, name, files }: ProgramImageOptions): string {
  const rootfs = join(folder, "rootfs");
  writeBase(machineBase(), rootfs);
  writeTools(rootfs, busybox);
  copyFileSync(kubectl, join(rootfs, "bin/kubectl"));
  chmodSync(join(rootfs, "bin/kubectl"), 0o755);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(rootfs, path)), { recursive: true });
    writeFileSync(join(rootfs, path), text);
  }
  const config = { Env: ["PATH=/bin:/usr/local/bin"], Cmd: ["node", "--version"] };
  return writeImageArchive({ folder, rootfs, tar, names: [name], config });
}
