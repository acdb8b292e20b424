import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import {
  boundReleaseName,
  childName,
  generateDataName,
  listElementName,
  mapElementName,
  maxInstallationNameLength,
  scopeOfExecution,
  scopeOfInstallation,
  templateStateSecretName,
} from "./names.ts";

const root = scopeOfInstallation("root");

describe("generateDataName", () => {
  // The vectors of core.md §3.1.
  it.each([
    ["an import of a nested scope", generateDataName(root, "foo"), "2oh4lbmpv7gunph5dluz47hyhssiywun"],
    ["a root export that is no object name", generateDataName("", "Foo_Bar"), "lmr5uzhobtiadmwzqk6umjeb7qfucvjr"],
    ["the export of an Execution", generateDataName(scopeOfExecution("root"), ""), "3ma3sfyypbemjcx6szifjuezoviyii4c"],
    [
      "an element of a target map",
      generateDataName(root, mapElementName("clusters", "red")),
      "yc6bzbf6pydeknd54xlmz2hgjpkfktsp",
    ],
    [
      "an element of a target list",
      generateDataName(root, listElementName("clusters", 0)),
      "vyrr2cxn4kgmsxwfbidhrrpxadzeqmsi",
    ],
  ])("names %s", (_, name, want) => {
    expect(name).toBe(want);
  });

  it.each([
    ["", "foo", "foo"],
    ["", "a", "a"],
    ["", "a.b-c", "a.b-c"],
    ["", "#foo", "foo"],
    [root, "#foo", "foo"],
    [root, "#Foo_Bar", "Foo_Bar"],
    ["", "#", ""],
  ])("keeps the object name in scope %p of %p", (scope, name, want) => {
    expect(generateDataName(scope, name)).toBe(want);
  });

  it.each(["Foo", "foo_bar", "-foo", "foo-", "foo.", ".foo", "", "foo bar", "föö"])(
    "hashes %p in the root scope, because it is no object name",
    (name) => {
      expect(generateDataName("", name)).toMatch(/^[a-z2-7]{32}$/);
    },
  );

  it("gives different names in different scopes", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        fc.pre(a !== b);
        expect(generateDataName(scopeOfInstallation(a), "x")).not.toBe(generateDataName(scopeOfInstallation(b), "x"));
      }),
    );
  });
});

describe("templateStateSecretName", () => {
  it.each([
    ["deploy", "whmi6t5lc5i4ac6inp2sfspq7vg23jl7"],
    ["export", "jxewa2xft3xi2uhkrshjk6tuletl5mjf"],
  ] as const)("names the state of the %s execution", (prefix, want) => {
    expect(templateStateSecretName("root", prefix, "default")).toBe(want);
  });
});

describe("childName", () => {
  const uid = "6f1c1c9e-2b0c-4f5f-9a5c-0d8f3f0f7a11";

  it("keeps a short prefix readable", () => {
    expect(childName("root-item-", uid, "item")).toBe("root-item-rbcfnrgp");
  });

  it("gives the same name for the same parent and item, and another for any other", () => {
    const name = childName("root-item-", uid, "item");
    expect(childName("root-item-", uid, "item")).toBe(name);
    expect(childName("root-item-", uid, "item2")).not.toBe(name);
    expect(childName("root-item-", "another-uid", "item")).not.toBe(name);
  });

  it("adds the dash when the prefix has none", () => {
    expect(childName("root", uid, "item")).toBe(childName("root-", uid, "item"));
  });

  it("cuts a long prefix, not in front of a dash or dot", () => {
    expect(childName("a".repeat(80), uid, "item")).toBe(`${"a".repeat(49)}-rbcfnrgp`);
    expect(childName(`${"a".repeat(48)}.b`, uid, "item")).toBe(`${"a".repeat(48)}-rbcfnrgp`);
  });

  it("always makes a DNS label that is short enough for an Installation", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,100}[a-z0-9])?$/);
    fc.assert(
      fc.property(label, fc.uuid(), fc.string(), (prefix, parent, item) => {
        const name = childName(`${prefix}-`, parent, item);
        expect(name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
        expect(name.length).toBeLessThanOrEqual(maxInstallationNameLength);
      }),
    );
  });
});

describe("boundReleaseName", () => {
  it("keeps a name that Helm accepts", () => {
    expect(boundReleaseName("a".repeat(53))).toBe("a".repeat(53));
  });

  it("shortens longer names to different ones, not in front of a dash", () => {
    const long = (end: string) => `${"a".repeat(43)}-bbbbbbbbb-${end}`;
    expect(boundReleaseName(long("1"))).toBe(`${"a".repeat(43)}-4dowdaez`);
    expect(boundReleaseName("a".repeat(58))).toHaveLength(53);
    expect(boundReleaseName(long("2"))).not.toBe(boundReleaseName(long("1")));
  });
});
