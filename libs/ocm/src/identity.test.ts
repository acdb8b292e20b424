import { describe, expect, it } from "@jest/globals";
import { toGoJson } from "@landscaper/goyaml";
import * as fc from "fast-check";
import type { Element } from "./descriptor-schemas.ts";
import {
  findDuplicate,
  formatIdentity,
  parseIdentity,
  selectElement,
  selectElements,
  uniqueIdentity,
  type Identity,
} from "./identity.ts";

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
    [{ name: "image", version: "v1" }, [image, arm]],
    [{ name: "image", version: "v2" }, [newer]],
    [{ name: "image", version: "v3" }, []],
    [{ version: "v1" }, [image, arm]],
    [{}, list],
    [{ constructor: "x" }, []],
  ])("with %j takes every element that has all of it", (selector, want) => {
    expect(selectElements(list, selector)).toEqual(want);
  });
});

describe("selectElement", () => {
  const plain = { name: "note", version: "v1" };
  const german = { ...plain, extraIdentity: { language: "de" } };
  const odd = { name: "odd", version: "v1", extraIdentity: { version: "edge" } };
  const notes = [german, plain, odd];
  it.each<[Identity, Element | undefined]>([
    [{ name: "note" }, plain],
    [{ name: "note", language: "de" }, german],
    [{ name: "note", version: "v1" }, german],
    [{ name: "odd", version: "v1" }, odd],
    [{ name: "odd", version: "edge" }, odd],
    [{ name: "none" }, undefined],
  ])("with %j takes the element of this identity, else the first that has all of it", (selector, want) => {
    expect(selectElement(notes, selector)).toBe(want);
  });
});

describe("parseIdentity", () => {
  it.each<[string, Identity]>([
    ["note", { name: "note" }],
    ["note,version=2.0.0,language=de", { name: "note", version: "2.0.0", language: "de" }],
    ["note,filter=a=b", { name: "note", filter: "a=b" }],
  ])("reads %s, and formatIdentity writes it", (text, identity) => {
    expect(parseIdentity(text)).toEqual(identity);
    expect(formatIdentity(identity)).toBe(text);
  });

  it.each(["", ",version=1", "note,de", "note,=x", "note,name=other"])("refuses %j", (text) => {
    expect(parseIdentity(text)).toBeUndefined();
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
          expect(selectElement(distinct, identities[i] ?? {})).toBe(one);
        });
      }),
      { seed: 20260 },
    );
  });
});
