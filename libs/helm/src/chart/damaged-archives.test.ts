import { describe, expect, it } from "@jest/globals";
import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { packArchive } from "../../test/archives.ts";
import { ChartError } from "./chart-error.ts";
import { loadChartArchive } from "./load-chart.ts";
import { readArchive } from "./read-archive.ts";

// `npm run fuzz -- helm` compares many more with the real one.

async function example(): Promise<Buffer> {
  const chartYaml = "{apiVersion: v2, name: c, version: 1.0.0}";
  const inner = await packArchive({ archive: [{ name: "s/Chart.yaml", content: "{name: s, version: 1.0.0}" }] });
  return packArchive({
    archive: [
      { name: "c/", type: "directory" },
      { name: "c/Chart.yaml", content: chartYaml },
      { name: `c/${"long/".repeat(40)}x.txt`, content: "long" },
      { name: "c/link", type: "symlink", target: "Chart.yaml" },
      { name: "c/charts/s-1.0.0.tgz", content: { base64: inner.toString("base64") } },
    ],
  });
}

/** "read" or "refused"; anything but a ChartError is thrown on. */
async function outcome(archive: Uint8Array): Promise<string> {
  try {
    await loadChartArchive(archive, { limits: { chartBytes: 1_000_000, files: 100 } });
    return "read";
  } catch (error) {
    if (error instanceof ChartError) return "refused";
    throw error;
  }
}

/** Places as parts of 10,000. */
const edits = fc.array(fc.record({ at: fc.nat(9999), value: fc.integer({ min: 0, max: 255 }) }), {
  minLength: 1,
  maxLength: 3,
});

function edited(bytes: Buffer, changes: readonly { at: number; value: number }[]): Buffer {
  const changed = Buffer.from(bytes);
  for (const { at, value } of changes) changed[Math.floor((at * changed.length) / 10_000)] = value;
  return changed;
}

const parameters = { seed: 20_260_101, numRuns: 300 };

describe("a damaged archive is read or refused, without another error and without an end of waiting", () => {
  it("where its packed bytes are changed", async () => {
    const packed = await example();
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => void outcomes.add(await outcome(edited(packed, changes)))),
      parameters,
    );
    expect(outcomes).toContain("refused");
  });

  it("where its tar is changed", async () => {
    const tar = gunzipSync(await example());
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => void outcomes.add(await outcome(gzipSync(edited(tar, changes))))),
      parameters,
    );
    expect([...outcomes].toSorted()).toEqual(["read", "refused"]);
  });

  it("where it is cut off anywhere", async () => {
    const packed = await example();
    for (let length = 0; length < packed.length - 20; length++) {
      expect(await outcome(packed.subarray(0, length))).toBe("refused");
    }
  });
});

/** A tar of one file, with some bytes of its header put in and its checksum put right. */
async function withHeader(fields: Readonly<Record<number, string>>, content = "x"): Promise<Buffer> {
  const tar = gunzipSync(await packArchive({ archive: [{ name: "c/a", content }] }));
  for (const [at, text] of Object.entries(fields)) tar.write(text, Number(at), "latin1");
  tar.fill(" ", 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return gzipSync(tar);
}

describe("a header", () => {
  it.each<[string, Record<number, string>, string]>([
    ["of the oldest form", { 257: "\0".repeat(8) }, "a"],
    ["with a prefix", { 345: "c/deep" }, "deep/c/a"],
    ["with a size in binary", { 124: `\x80${"\0".repeat(10)}\x01` }, "a"],
    ["of a link with a size", { 156: "2" }, "decompressed chart is larger than the maximum file size 104857600"],
    ["with a size below zero", { 124: "\xff".repeat(12) }, "archive/tar: invalid tar header"],
    ["with a size beyond all numbers", { 124: `\x80${"\x7f".repeat(11)}` }, "archive/tar: invalid tar header"],
    ["with letters as a size", { 124: "zzz" }, "archive/tar: invalid tar header"],
    ["with letters as an owner", { 108: "zzz" }, "archive/tar: invalid tar header"],
    ["of a file with holes", { 156: "S" }, "archive/tar: invalid tar header"],
    ["of a folder by its mode", { 100: "0040755\0" }, "no files in chart archive"],
  ])("%s", async (_, fields, expected) => {
    const archive = await withHeader(fields);
    const read = async (): Promise<string> => (await readArchive(archive)).map(({ name }) => name).join(" ");
    expect(await read().catch((error: unknown) => String(Reflect.get(Object(error), "message")))).toBe(expected);
  });
});
