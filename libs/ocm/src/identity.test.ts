import { describe, expect, it } from "@jest/globals";
import { toGoJson } from "@landscaper/goyaml";
import * as fc from "fast-check";
import type { Element } from "./descriptor-schemas.ts";
import { findDuplicate, selectElements, uniqueIdentity, type Identity } from "./identity.ts";

const image = { name: "image", version: "v1" };
const arm = { ...image, extraIdentity: { os: "linux", arch: "arm" } };
const newer = { name: "image", version: "v2" };
const unversioned: Element = { name: "chart" };
const list = [image, arm, newer, unversioned];

describe("selectElements", () => {
  it.each<[Identity, readonly Element[]]>([
    [{ name: "image" }, [image, arm, newer]],
    [{ arch: "arm" }, [arm]],
    [{ name: "image", arch: "amd64" }, []],
    [{ name: "image", version: "v1" }, []],
    [{}, list],
    [{ constructor: "x" }, []],
  ])("with %j takes every element that has all of it", (selector, want) => {
    expect(selectElements(list, selector)).toEqual(want);
  });
});

describe("uniqueIdentity", () => {
  it.each<[Element, Identity]>([
    [image, { name: "image", version: "v1" }],
    [newer, { name: "image", version: "v2" }],
    [arm, { name: "image", os: "linux", arch: "arm" }],
    [unversioned, { name: "chart" }],
  ])("of %j is %j", (element, want) => {
    expect(uniqueIdentity(element, list)).toEqual(want);
  });
});

describe("findDuplicate", () => {
  it.each<[readonly Element[], number]>([
    [list, -1],
    [[], -1],
    [[...list, { ...arm, extraIdentity: { arch: "arm", os: "linux" } }], 4],
    [[unversioned, image, { ...unversioned }], 2],
  ])("in %j is %i", (elements, want) => {
    expect(findDuplicate(elements)).toBe(want);
  });
});

const element = fc.record(
  {
    name: fc.constantFrom("aa", "bb"),
    version: fc.constantFrom("v1", "v2"),
    extraIdentity: fc.dictionary(fc.constantFrom("os", "arch"), fc.constantFrom("x", "y")),
  },
  { requiredKeys: ["name", "version"] },
);

describe("the elements of a list without duplicates", () => {
  it("have identities that differ, and each is found by its own", () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 12 }), (elements) => {
        const distinct: Element[] = [];
        for (const one of elements) if (findDuplicate([...distinct, one]) < 0) distinct.push(one);
        const identities = distinct.map((one) => uniqueIdentity(one, distinct));
        const texts = identities.map((identity) => toGoJson(identity));
        expect(new Set(texts).size).toBe(distinct.length);
        distinct.forEach((one, i) => {
          const { version: _, ...selector } = identities[i] ?? {};
          expect(selectElements(distinct, selector)).toContain(one);
        });
      }),
      { seed: 20260 },
    );
  });
});
