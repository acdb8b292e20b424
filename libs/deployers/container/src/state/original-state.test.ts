import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { listTree, newFolder, writeTree } from "../../test/index.ts";
import { OpenFolder } from "../program-files/open-folder.ts";
import { joinChunks } from "./join-chunks.ts";
import { packState } from "./pack-state.ts";
import { restoreState } from "./restore-state.ts";

const mebibyte = 1024 ** 2;
const limits = { bytes: 8 * mebibyte, entries: 100 };

let root = "";
beforeEach(() => {
  root = newFolder();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Returns the compressed archive of these files, which are in the folder "from". */
async function pack(files: Readonly<Record<string, Buffer | string>>): Promise<Buffer> {
  const from = join(root, "from");
  writeTree(
    from,
    Object.entries(files).map(([path, content]) => ({ path, content })),
  );
  const folder = await OpenFolder.openRoot(from);
  const parts: Uint8Array[] = [];
  for await (const part of packState(folder, limits).content) parts.push(part);
  await folder.close();
  return Buffer.concat(parts);
}

function withoutNulAtEnds(bytes: Buffer): Buffer {
  const isNul = (byte: number): boolean => byte === 0;
  const start = bytes.findIndex((byte) => !isNul(byte));
  return bytes.subarray(start, bytes.findLastIndex((byte) => !isNul(byte)) + 1);
}

/**
 * Splits an archive into parts as the original does. The original reads every part into the same buffer and ignores the number of read bytes, so the last part ends with
 * bytes of the previous part. v0.153 then removes NUL bytes from both ends; v1.4.0 does not.
 */
function originalParts(archive: Buffer, version: "v0.153" | "v1.4.0"): Buffer[] {
  const parts: Buffer[] = [];
  let buffer: Buffer = Buffer.alloc(mebibyte);
  for (let at = 0; at < archive.length;) {
    at += archive.copy(buffer, 0, at, at + buffer.length);
    if (version === "v0.153") buffer = withoutNulAtEnds(buffer);
    parts.push(Buffer.from(buffer));
  }
  return parts;
}

async function restore(parts: readonly Buffer[]): Promise<void> {
  const chunks = parts.map((_, index) => ({ name: String(index) }));
  const archive = joinChunks({ chunks }, async (name) => parts[Number(name)]);
  await restoreState(archive, { folder: join(root, "to"), limits });
}

/** Files of one part. The trailer of every archive below 16 MiB ends with NUL. */
const small = { count: "1", "folder/text": "hello" };
/** Files of two parts. */
const large = { noise: randomBytes(1.5 * mebibyte), count: "2" };

describe("a state that the original has written", () => {
  it.each([
    { version: "v0.153", size: "one part", files: small, count: 1 },
    { version: "v0.153", size: "two parts", files: large, count: 2 },
    { version: "v1.4.0", size: "one part", files: small, count: 1 },
    { version: "v1.4.0", size: "two parts", files: large, count: 2 },
  ] as const)("is restored ($version, $size)", async ({ version, files, count }) => {
    const parts = originalParts(await pack(files), version);
    expect(parts).toHaveLength(count);
    await restore(parts);
    expect(listTree(join(root, "to"))).toEqual(listTree(join(root, "from")));
  });

  it("is refused as damaged if its content has changed", async () => {
    const archive = await pack(large);
    const at = mebibyte / 2;
    archive[at] = (archive[at] ?? 0) ^ 1;
    await expect(restore(originalParts(archive, "v1.4.0"))).rejects.toMatchObject({
      reason: "StateDamaged",
      message: "state of the run before: archive: not a tar archive, or damaged: its compressed data is damaged",
    });
  });

  it.each([9, 60])("is refused as damaged if only %i bytes are left", async (bytes) => {
    const archive = await pack(small);
    await expect(restore([archive.subarray(0, bytes)])).rejects.toMatchObject({
      reason: "StateDamaged",
      message: "state of the run before: archive: not a tar archive, or damaged: it ends too early",
    });
  });
});
