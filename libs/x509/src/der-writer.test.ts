import { describe, expect, it } from "@jest/globals";
import {
  bits,
  boolean,
  explicit,
  integer,
  nothing,
  objectId,
  sequence,
  set,
  tagged,
  text,
  time,
  utf8,
} from "./der-writer.ts";

const hex = (buffer: Buffer): string => buffer.toString("hex");

describe("DER", () => {
  it.each([
    ["a small integer", integer(Buffer.from([2])), "020102"],
    ["an integer whose first bit is set", integer(Buffer.from([0x80])), "02020080"],
    ["an integer with leading zeros", integer(Buffer.from([0, 0, 1])), "020101"],
    ["zero", integer(Buffer.from([0])), "020100"],
    ["true", boolean(true), "0101ff"],
    ["an object identifier with a long arc", objectId("1.2.840.10045.4.3.2"), "06082a8648ce3d040302"],
    ["an object identifier with a short form", objectId("2.5.4.3"), "0603550403"],
    ["a string", utf8("é"), "0c02c3a9"],
    ["a bit string", bits(Buffer.from([0x80]), 7), "03020780"],
    ["no value", nothing(), "0500"],
    ["printable text", text("a-b (c)"), "1307612d6220286329"],
    ["text with characters that PrintableString lacks", text("a*b"), "0c03612a62"],
    ["a set, sorted", set(utf8("b"), utf8("a")), "31060c01610c0162"],
    ["nesting", sequence(boolean(false), explicit(3, integer(Buffer.from([1])))), "3008010100a303020101"],
    ["a time before 2050", time(new Date("2026-11-21T09:08:07.123Z")), "170d3236313132313039303830375a"],
    ["a time from 2050", time(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
    ["a time before 1950", time(new Date("1734-01-02T03:04:05Z")), "180f31373334303130323033303430355a"],
  ])("encodes %s", (_name, encoded, want) => {
    expect(hex(encoded)).toBe(want);
  });

  it("refuses years of five digits", () => {
    expect(() => time(new Date("+010000-01-01T00:00:00Z"))).toThrow("cannot represent time as GeneralizedTime");
  });

  it.each([
    [127, "7f"],
    [128, "8180"],
    [300, "82012c"],
  ])("encodes the length %d", (size, want) => {
    expect(hex(tagged(0x04, Buffer.alloc(size))).slice(2, 2 + want.length)).toBe(want);
  });
});
