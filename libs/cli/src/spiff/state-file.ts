import { rename, rm, writeFile } from "node:fs/promises";
import { PrintedError } from "../usage-error.ts";
import { readFileIfThere } from "./read-inputs.ts";

/**
 * Replaces a state file in one step, so that a broken run leaves the old one; that is kept beside it as `.bak`. Throws
 * PrintedError.
 */
export async function writeState(path: string, text: string): Promise<void> {
  const staging = `${path}.${process.pid}.new`;
  try {
    await writeFile(staging, text, { flag: "wx" });
    if ((await readFileIfThere(path)) !== undefined) await rename(path, `${path}.bak`);
    await rename(staging, path);
  } catch {
    await rm(staging, { force: true });
    throw new PrintedError(`cannot write state file "${path}"\n`);
  }
}
