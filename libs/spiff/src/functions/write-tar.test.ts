import { describe, expect, it } from "@jest/globals";
import { decodeUtf8, encodeUtf8 } from "@landscaper/golang";
import * as fc from "fast-check";
import { writeTar, type TarFile } from "./write-tar.ts";

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly content: string;
}

/** A reader for what the tests write: ustar entries, and paths in pax headers. */
function readTar(archive: Uint8Array): Entry[] {
  const bytes = Buffer.from(archive);
  const entries: Entry[] = [];
  let path: string | undefined;
  let at = 0;
  while (bytes[at] !== 0) {
    const header = bytes.subarray(at, at + 512);
    const field = (start: number, length: number): string =>
      header.toString("latin1", start, start + length).replace(/\0.*$/s, "");
    const checked = Buffer.from(header).fill(" ", 148, 156);
    expect(Number.parseInt(field(148, 8), 8)).toBe(checked.reduce((sum, byte) => sum + byte, 0));
    expect([field(136, 12), field(257, 6), field(108, 8)]).toEqual(["00000000000", "ustar", "0000000"]);
    const size = Number.parseInt(field(124, 12), 8);
    const content = bytes.subarray(at + 512, at + 512 + size);
    const name = [field(345, 155), field(0, 100)].filter((part) => part !== "").join("/");
    if (field(156, 1) === "x") {
      const [, length = "", value = ""] = /^([0-9]+) path=(.*)\n$/s.exec(decodeUtf8(content)) ?? [];
      expect(Number(length)).toBe(size);
      path = value;
    } else {
      entries.push({ path: path ?? name, mode: Number.parseInt(field(100, 8), 8), content: decodeUtf8(content) });
      path = undefined;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  expect(bytes.length).toBe(at + 1024);
  return entries;
}

const segment = fc.stringMatching(/^[a-zé€]{1,60}$/);
const file: fc.Arbitrary<Entry> = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join("/")),
  mode: fc.integer({ min: 0, max: 0o777 }),
  content: fc.string({ unit: "grapheme", maxLength: 1200 }),
});

function write(entries: readonly Entry[]): Uint8Array {
  return writeTar(entries.map((entry): TarFile => ({ ...entry, content: encodeUtf8(entry.content) })));
}

describe("writeTar", () => {
  it("writes paths, permissions and contents of all lengths", () => {
    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), (entries) => {
        expect(readTar(write(entries))).toEqual(entries);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it.each([99, 100, 101, 155, 156, 157, 255, 256, 257])("holds a path of %d characters", (length) => {
    const path = `${"a".repeat(length >> 1)}/${"b".repeat(length - (length >> 1) - 1)}`;
    expect(readTar(write([{ path, mode: 0o644, content: "x" }]))).toEqual([{ path, mode: 0o644, content: "x" }]);
  });
});
