import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { mediaTypes } from "@landscaper/oci";
import { streamOf } from "../archive/stream-of.ts";
import { BlobFolder } from "../repository/blob-folder.ts";
import { openTransportStore, type IndexEntry } from "../repository/transport-store.ts";
import { digest, newFolder } from "../../test/index.ts";
import { addEntry, createTransportSink } from "./transport-sink.ts";

const { signal } = new AbortController();
const root = newFolder();
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const fresh = (): string => join(root, `ctf${(folders += 1)}`);
const mediaType = mediaTypes.ociManifest;
const manifest = (text: string) => ({ bytes: Buffer.from(text), mediaType });

it("refuses an empty path, which would be the working directory", async () => {
  await expect(createTransportSink("")).rejects.toThrow(
    "expected the path of a folder to write to, found an empty text",
  );
});

describe("addEntry", () => {
  const a = { repository: "r", digest: "sha256:a", mediaType };
  const b = { repository: "r", digest: "sha256:b", mediaType };
  const other = { ...a, repository: "other", tag: "1" };
  it.each<{ name: string; known: IndexEntry[]; entry: IndexEntry; expected: IndexEntry[] }>([
    {
      name: "takes the tag from the artifact that had it",
      known: [{ ...a, tag: "1" }, other],
      entry: { ...b, tag: "1" },
      expected: [a, other, { ...b, tag: "1" }],
    },
    {
      name: "keeps other tags",
      known: [{ ...a, tag: "1" }],
      entry: { ...b, tag: "2" },
      expected: [
        { ...a, tag: "1" },
        { ...b, tag: "2" },
      ],
    },
    {
      name: "gives a tag back",
      known: [a, { ...b, tag: "1" }],
      entry: { ...a, tag: "1" },
      expected: [b, { ...a, tag: "1" }],
    },
    { name: "adds nothing twice", known: [{ ...a, tag: "1" }], entry: a, expected: [{ ...a, tag: "1" }] },
    { name: "adds one without a tag", known: [b], entry: a, expected: [b, a] },
  ])("$name", ({ known, entry, expected }) => {
    expect(addEntry(known, entry)).toEqual(expected);
  });
});

describe("a sink for a transport folder", () => {
  it("stores blobs and manifests that can be read when they are committed", async () => {
    const path = fresh();
    const sink = await createTransportSink(path);
    const blob = await sink.pushBlob("r", streamOf(Buffer.from("content")), { signal });
    expect(blob).toEqual({ digest: digest("content"), size: 7 });
    await sink.pushManifest("r", manifest("{}"), { signal, tag: "1" });
    expect(await openTransportStore(new BlobFolder(path))).toBeUndefined();
    await sink.commit();
    const store = await openTransportStore(new BlobFolder(path));
    expect(await store?.findManifest("r", "1", { signal })).toMatchObject({ digest: digest("{}"), mediaType });
    expect(readFileSync(join(path, "blobs", digest("content").replace(":", ".")), "utf8")).toBe("content");
    expect(readdirSync(join(path, "blobs"))).toHaveLength(2);
  });

  it("does not read a blob that is there", async () => {
    const path = fresh();
    const sink = await createTransportSink(path);
    const known = await sink.pushBlob("r", streamOf(Buffer.from("content")), { signal });
    const unread: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: async () => Promise.reject(new Error("it was read")) }),
    };
    expect(await sink.pushBlob("r", unread, { signal, digest: known.digest })).toEqual(known);
  });

  it("leaves no file of content that fails or is not that of its digest", async () => {
    const path = fresh();
    const sink = await createTransportSink(path);
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from("half");
      throw new Error("the connection broke");
    };
    await expect(sink.pushBlob("r", failing(), { signal })).rejects.toThrow("the connection broke");
    const wrong = sink.pushBlob("r", streamOf(Buffer.from("x")), { signal, digest: digest("y") });
    await expect(wrong).rejects.toMatchObject({
      reason: "DigestMismatch",
      message: `${path}: expected digest ${digest("y")}, found ${digest("x")}`,
    });
    expect(readdirSync(join(path, "blobs"))).toEqual([]);
  });

  it("removes what it stored since the last commit, and the folder when it made it", async () => {
    const path = fresh();
    const first = await createTransportSink(path);
    await first.pushManifest("r", manifest("{}"), { signal, tag: "1" });
    await first.discard();
    expect(existsSync(path)).toBe(false);
    await first.pushManifest("r", manifest("{}"), { signal, tag: "1" });
    await first.commit();
    const before = readFileSync(join(path, "artifact-index.json"), "utf8");
    await first.pushBlob("r", streamOf(Buffer.from("content")), { signal });
    await first.pushManifest("r", manifest("[]"), { signal, tag: "1" });
    await first.discard();
    expect(readFileSync(join(path, "artifact-index.json"), "utf8")).toBe(before);
    expect(readdirSync(join(path, "blobs"))).toEqual([digest("{}").replace(":", ".")]);
  });

  it("refuses a file, and a folder that has something else in it", async () => {
    const file = join(root, "file");
    writeFileSync(file, "");
    await expect(createTransportSink(file)).rejects.toThrow(`${file}: expected a folder to write to, found a file`);
    const other = join(root, "other");
    mkdirSync(other);
    writeFileSync(join(other, "notes.txt"), "");
    await expect(createTransportSink(other)).rejects.toThrow(
      `${other}: expected artifact-index.json in the folder, or an empty folder`,
    );
  });
});
