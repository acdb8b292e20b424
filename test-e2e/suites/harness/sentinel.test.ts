import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { createRecognizer, createSentinel, createSentinelSource } from "../../src/kits/sentinel.ts";
import { findLeaks } from "../../src/namespaces/visible-texts.ts";

const secret = "sentinel0123456789abcdef";
const find = createRecognizer(secret);
const base64 = (text: string | Buffer): string => Buffer.from(text).toString("base64");

describe("createRecognizer", () => {
  it.each([
    ["the plain value", `a ${secret} b`],
    ["a piece of it", `... ${secret.slice(-12)}`],
    ["a JSON text in a JSON text", JSON.stringify(JSON.stringify({ a: `"${secret}"` }))],
    ["base64", base64(secret)],
    ["base64 inside a longer text", `x=${base64(`user:${secret}`)};`],
    ["base64 one byte off", base64(`1${secret}`)],
    ["base64 two bytes off", base64(`12${secret}`)],
    ["base64 glued to letters", `ab${base64(secret)}`],
    ["base64url", Buffer.from(`~~~${secret}`).toString("base64url")],
    ["gzip in base64", `>gzip>base64> ${base64(gzipSync(`{"a":"${secret}"}`))}`],
  ])("finds %s", (_name, text) => {
    expect(find(text)).toBeDefined();
  });

  it.each([
    ["another text", "nothing to see"],
    ["a mask", "[...]"],
    ["another base64", base64("some other text that is long enough")],
    ["a hash", "2oh4lbmpv7gunph5dluz47hyhssiywun"],
  ])("does not find it in %s", (_name, text) => {
    expect(find(text)).toBeUndefined();
  });
});

describe("createSentinel", () => {
  it("makes values that escape differently in JSON and HTML, and recognises them all", () => {
    const sentinel = createSentinel();
    expect(JSON.stringify(sentinel.value)).not.toContain(sentinel.value);
    expect(sentinel.findIn(JSON.stringify(sentinel.value))).toBeDefined();
    expect(sentinel.findIn(createSentinel().value)).toBeUndefined();
  });

  it("makes words that profiles can insert into YAML without quotes, and recognises them", () => {
    const { value, word, findIn } = createSentinel();
    expect(word).toMatch(/^[a-z][a-z0-9]{20,}$/);
    expect(value).toContain(word);
    expect(findIn(word)).toBeDefined();
  });

  it("draws again when two sentinels would share a recognisable piece", () => {
    const drawn = ["0123456789abcdef", "xyz0123456789uvw", "fedcba9876543210"];
    const create = createSentinelSource(() => drawn.shift() ?? "");
    const sentinels = [create(), create()];
    expect(sentinels.map(({ value }) => value)).toEqual([
      'top "sentinel0123456789abcdef" <&>',
      'top "sentinelfedcba9876543210" <&>',
    ]);
  });

  it("does not recognise a sentinel by the word that all sentinels begin with", () => {
    const [first, second] = [createSentinel(), createSentinel()];
    const [, words = ""] = /^(top "sentinel..)/.exec(second.value) ?? [];
    expect(words).not.toBe("");
    expect(first.findIn(words)).toBeUndefined();
  });
});

describe("findLeaks", () => {
  it("shows the line", () => {
    const texts = [
      { where: "log", text: `first\nsecond ${secret}\nthird` },
      { where: "metrics", text: "none" },
    ];
    expect(findLeaks(texts, find)).toEqual([{ where: "log", found: `second ${secret}` }]);
  });
});
