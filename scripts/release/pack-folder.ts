import { createReadStream, createWriteStream, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipped, packFiles } from "@landscaper/components";

/** Packs the files below a folder as tar with gzip, in the order of their names; equal files give equal bytes. `prefix` is a folder of the archive, or "". */
export async function packFolder(folder: string, file: string, prefix: string): Promise<void> {
  const names = globSync("**/*", { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
  const files = names.toSorted().map((name) => {
    const { size, mode } = statSync(join(folder, name));
    const isExecutable = (mode & 0o100) !== 0;
    return { name: join(prefix, name), size, isExecutable, content: () => createReadStream(join(folder, name)) };
  });
  await pipeline(Readable.from(gzipped(packFiles(files))), createWriteStream(file));
}
