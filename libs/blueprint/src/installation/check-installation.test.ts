import {
  annotations as known,
  apiVersion,
  LandscaperError,
  type Installation,
  type InstallationSpec,
  type ObjectMeta,
} from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { checkInstallation } from "./check-installation.ts";
import { warnOfInstallation } from "./warn-of-installation.ts";

function installation(metadata: ObjectMeta, exports?: InstallationSpec["exports"]): Installation {
  const spec = { blueprint: { inline: { filesystem: {} } }, ...(exports === undefined ? {} : { exports }) };
  return { apiVersion, kind: "Installation", metadata, spec };
}

function check(name: string, exports?: InstallationSpec["exports"]): void {
  checkInstallation(installation({ name }, exports));
}

const long = (length: number): string => "n".repeat(length);
const atMost63 = "must have at most 63 characters";
const legal = "must have only letters, digits, -, _ and ., with a letter or digit at both ends";

describe("the names of an Installation", () => {
  it.each<[string, Parameters<typeof check>]>([
    [
      "at the limit",
      [long(58), { data: [{ name: "a", dataRef: long(63) }], targets: [{ name: "b", target: long(63) }] }],
    ],
    ["that are no object names", ["a", { data: [{ name: "a", dataRef: "Foo_Bar.1" }] }]],
    ["without exports", ["a.b"]],
  ])("%s are fine", (_name, args) => {
    expect(() => check(...args)).not.toThrow();
  });

  it.each<[string, Parameters<typeof check>, string]>([
    ["longer than its scope label allows", [long(59)], "metadata.name: must have at most 58 characters"],
    [
      "of a data export that are too long",
      ["a", { data: [{ name: "x", dataRef: long(64) }] }],
      `spec.exports.data "x": dataRef ${atMost63}`,
    ],
    [
      "of a data export over scopes",
      ["a", { data: [{ name: "x", dataRef: "#a" }] }],
      `spec.exports.data "x": dataRef ${legal}`,
    ],
    [
      "of a Target export that are too long",
      ["a", { targets: [{ name: "x", target: long(64) }] }],
      `spec.exports.targets "x": target ${atMost63}`,
    ],
    [
      "of a Target export in another namespace",
      ["a", { targets: [{ name: "x", target: "b/a" }] }],
      `spec.exports.targets "x": target ${legal}`,
    ],
  ])("%s are refused", (_name, args, message) => {
    expect(() => check(...args)).toThrow(LandscaperError);
    expect(() => check(...args)).toThrow(new Error(message));
  });
});

describe("names of exports", () => {
  it("of data and of a target that are the same are told", () => {
    const data = [
      { name: "a", dataRef: "one" },
      { name: "b", dataRef: "two" },
    ];
    const targets = [
      { name: "b", target: "three" },
      { name: "c", target: "four" },
    ];
    expect(warnOfInstallation(installation({ name: "a" }, { data, targets }))).toEqual([
      {
        reason: "AmbiguousExport",
        message:
          'spec.exports: "b" is the name of a data export and of a target export; a blueprint can give only one of them',
      },
    ]);
    expect(warnOfInstallation(installation({ name: "a" }))).toEqual([]);
  });

  it("must have a target", () => {
    expect(() => check("a", { targets: [{ name: "x" }] })).toThrow('spec.exports.targets "x": target must be set');
  });
});

describe("the annotation cache-helm-charts", () => {
  const annotations = { [known.cacheHelmCharts]: "true" };
  const parent = { apiVersion, kind: "Installation", name: "p", uid: "u" };

  it("gives a warning on a root Installation, because it has no effect", () => {
    expect(warnOfInstallation(installation({ name: "a", annotations }))).toEqual([
      {
        reason: "WithoutEffect",
        message:
          "annotation landscaper.gardener.cloud/cache-helm-charts has no effect: the helm deployer keeps charts by their digest in any case, and asks for the digest in every job",
      },
    ]);
  });

  it.each<[string, ObjectMeta]>([
    ["on a subinstallation, which inherits it", { name: "a", annotations, ownerReferences: [parent] }],
    ["with another value", { name: "a", annotations: { [known.cacheHelmCharts]: "false" } }],
  ])("gives none %s", (_name, metadata) => {
    expect(warnOfInstallation(installation(metadata))).toEqual([]);
  });
});
