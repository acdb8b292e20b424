import { describe, expect, it } from "@jest/globals";
import { annotations } from "@landscaper/api";
import { formatSensitiveConfigs, formerSensitiveConfig, sensitiveConfigOf } from "./sensitive-configs.ts";

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `/values/${index}`);

describe("formatSensitiveConfigs", () => {
  it.each([
    ["nothing", { a: [] }, "{}"],
    ["paths of items that have some", { a: ["/x", "/y"], b: [] }, '{"a":["/x","/y"]}'],
    ["what many paths start with", { a: ["/x", ...many(100)] }, '{"a":["/x","/values"]}'],
    ["nothing below a path", { a: ["/x/y", "/x", "/xy"] }, '{"a":["/x","/xy"]}'],
  ])("says %s", (_, configs, want) => {
    expect(formatSensitiveConfigs(configs)).toBe(want);
  });

  it("gives up details, and then all, where there are too many items", () => {
    const items = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`item-${index}`, many(60)]));
    expect(formatSensitiveConfigs(items(100))).toMatch(/^\{"item-0":\[""\],/);
    expect(formatSensitiveConfigs(items(10_000))).toBeUndefined();
  });
});

describe("sensitiveConfigOf", () => {
  it.each([
    ["its paths", '{"a":["/x"]}', '["/x"]'],
    ["none for an item that is not named", '{"b":["/x"]}', "[]"],
    ["unknown without annotation", undefined, undefined],
    ["unknown for what is not JSON", "{", undefined],
    ["unknown for a list", "[]", undefined],
    ["unknown for paths that are none", '{"a":["x"]}', undefined],
    ["none for a name that all objects have", '{"b":[]}', "[]"],
  ])("is %s", (_, annotation, want) => {
    expect(sensitiveConfigOf(annotation, "a")).toBe(want);
  });
});

describe("formerSensitiveConfig", () => {
  const before = (sensitive?: string, former?: string): Record<string, string> => ({
    ...(sensitive === undefined ? {} : { [annotations.sensitiveConfig]: sensitive }),
    ...(former === undefined ? {} : { [annotations.formerSensitiveConfig]: former }),
  });

  it.each<[string, Record<string, string> | undefined, string, string | undefined]>([
    ["nothing of a new item", undefined, "[]", undefined],
    ["nothing while all is as it was", before('["/a"]'), '["/a"]', undefined],
    ["what is secret no more", before('["/a","/b"]'), '["/b"]', '["/a"]'],
    ["what was secret before that", before('["/a"]', '["/c"]'), "[]", '["/c","/a"]'],
    ["nothing that a wider path covers", before('["/a/b"]', '["/c"]'), '["/a"]', '["/c"]'],
  ])("keeps %s", (_, ...[annotationsBefore, present, want]) => {
    expect(formerSensitiveConfig(annotationsBefore, present)).toBe(want);
  });
});
