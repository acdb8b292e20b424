import { createHash } from "node:crypto";
import { createReadStream, globSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const sumsFile = "SHA256SUMS";

/** Writes SHA256SUMS of all files below a folder, as `sha256sum --check` reads it. */
export async function writeChecksums(folder: string): Promise<void> {
  const names = globSync("**/*", { cwd: folder }).filter(
    (name) => name !== sumsFile && statSync(join(folder, name)).isFile(),
  );
  const lines: string[] = [];
  for (const name of names.toSorted()) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  writeFileSync(join(folder, sumsFile), lines.join(""));
}
