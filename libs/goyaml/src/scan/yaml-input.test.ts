import { describe, expect, it } from "@jest/globals";
import { readInput } from "./yaml-input.ts";

/** Text of bytes as the rest of the program has it: ASCII as it is, all else as lone surrogates. */
function textOf(bytes: readonly number[]): string {
  return String.fromCharCode(...bytes.map((byte) => (byte < 0x80 ? byte : 0xdc00 + byte)));
}

describe("readInput", () => {
  it.each<[string, number]>([
    ["", 0],
    ["a: b\r\n\t\u0085\u00a0\u2028\ud7ff\ue000\ufffd😀", 0],
    ["\ufeffa", 1],
  ])("leaves %j as it is", (text, start) => {
    expect(readInput(text)).toEqual({ text, start, problem: undefined });
  });

  it.each(["\0", "\u0008", "\u000b", "\u001f", "\u007f", "\u0080", "\u009f", "\ufffe", "\uffff"])(
    "refuses the character %j",
    (char) => {
      expect(readInput(`a${char}b`)).toEqual({ text: "", start: 0, problem: "control characters are not allowed" });
    },
  );

  it.each<[readonly number[], string]>([
    [[0xff], "invalid leading UTF-8 octet"],
    [[0x80], "invalid leading UTF-8 octet"],
    [[0xc3, 0x28], "invalid trailing UTF-8 octet"],
    [[0xc3], "incomplete UTF-8 octet sequence"],
    [[0xf0, 0x9f, 0x98], "incomplete UTF-8 octet sequence"],
    [[0xc0, 0xaf], "invalid length of a UTF-8 sequence"],
    [[0xed, 0xa0, 0x80], "invalid Unicode character"],
    [[0xf4, 0x90, 0x80, 0x80], "invalid Unicode character"],
    [[0xff, 0xfe, 0x00, 0xde], "unexpected low surrogate area"],
    [[0xff, 0xfe, 0x3d, 0xd8, 0x61, 0x00], "expected low surrogate area"],
    [[0xff, 0xfe, 0x3d, 0xd8], "incomplete UTF-16 surrogate pair"],
    [[0xfe, 0xff, 0x00], "incomplete UTF-16 character"],
    [[0xfe, 0xff, 0x00, 0x01], "control characters are not allowed"],
  ])("refuses the bytes %j", (bytes, problem) => {
    expect(readInput(textOf(bytes))).toEqual({ text: "", start: 0, problem });
  });

  it("decodes UTF-16 with a byte order mark", () => {
    expect(readInput(textOf([0xff, 0xfe, 0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde]))).toEqual({
      text: "a😀",
      start: 0,
      problem: undefined,
    });
    expect(readInput(textOf([0xfe, 0xff, 0x00, 0x61, 0xd8, 0x3d, 0xde, 0x00]))).toMatchObject({ text: "a😀" });
  });

  it.each([
    ["what comes before the bytes that are read with it", `${"a".repeat(600)}\u0001`, 512],
    ["whole characters", `${"é".repeat(400)}\u0001`, 256],
    ["no half of a character", `a${"é".repeat(400)}\u0001`, 256],
    ["what comes before an unfinished character", `${"a".repeat(600)}\udcc3`, 600],
  ])("keeps %s", (_, text, length) => {
    expect(readInput(text)).toMatchObject({ text: text.slice(0, length), problem: expect.any(String) });
  });
});
