import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export interface WholeFile {
  readonly folder: string;
  /** May throw at its end; then there is no file, and what was there before stays. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Asked for when the content is written; undefined: the file is not wanted. */
  readonly nameOf: () => string | undefined | Promise<string | undefined>;
}

/** Writes a file under another name and renames it when it is whole. */
export async function writeWholeFile({ folder, content, nameOf }: WholeFile): Promise<void> {
  const temporary = join(folder, `.unfinished.${randomBytes(8).toString("hex")}`);
  try {
    const handle = await open(temporary, "wx", 0o644);
    try {
      for await (const part of content) await handle.write(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const name = await nameOf();
    if (name !== undefined) await rename(temporary, join(folder, name));
  } finally {
    await rm(temporary, { force: true });
  }
}
