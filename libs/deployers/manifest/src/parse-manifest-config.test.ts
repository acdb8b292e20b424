import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { parseManifestConfig } from "./parse-manifest-config.ts";

const v1alpha1 = { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
const v1alpha2 = { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2", kind: "ProviderConfiguration" };
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" }, data: { x: "1" } };
const list = { apiVersion: "v1", kind: "List", items: [configMap] };

const shared = {
  readinessChecks: {
    disableDefault: true,
    custom: [
      {
        name: "check",
        resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "n" }],
        requirements: [{ jsonPath: ".data.x", operator: "==", values: [{ value: "1" }] }],
      },
    ],
  },
  exports: {
    exports: [{ key: "k", jsonPath: ".data.x", fromResource: { apiVersion: "v1", kind: "ConfigMap", name: "a" } }],
  },
  deletionGroups: [{ predefinedResourceGroup: { type: "empty" } }],
  deletionGroupsDuringUpdate: [{ customResourceGroup: { resources: [{ apiVersion: "v1", kind: "ConfigMap" }] } }],
  continuousReconcile: { every: "1h" },
};

describe("the configuration of a manifest item", () => {
  it("has defaults", () => {
    expect(parseManifestConfig(v1alpha2, "spec.config")).toEqual({
      updateStrategy: "update",
      serverSideApply: undefined,
      requireApproval: false,
      driftDetection: "off",
      ignoreFields: [],
      manifests: [],
      readinessChecks: undefined,
      exports: [],
      deletionGroups: undefined,
      deletionGroupsDuringUpdate: undefined,
      continuousReconcile: undefined,
    });
  });

  it("has manifests with policies and hooks, Lists expanded", () => {
    const hooks = { annotateBeforeCreate: { a: "b" }, patchAfterDeployment: { data: { y: "2" } } };
    const config = {
      ...v1alpha2,
      manifests: [{ policy: "keep", manifest: list, ...hooks }, { manifest: { ...configMap, kind: "Secret" } }],
    };
    expect(parseManifestConfig(config, "spec.config").manifests).toEqual([
      { policy: "keep", manifest: configMap, ...hooks },
      { policy: "manage", manifest: { ...configMap, kind: "Secret" } },
    ]);
  });

  it.each([
    [{ emptyStatusWait: "5 minutes" }, "emptyStatusWait"],
    [
      { emptyStatusWaitByKind: [{ apiVersion: "example.org/v1", kind: "Shop", wait: "5 minutes" }] },
      "emptyStatusWaitByKind[0].wait",
    ],
  ])("refuses a wait that is not a duration: %j", (readinessChecks, field) => {
    expect(() => parseManifestConfig({ ...v1alpha2, readinessChecks }, "spec.config")).toThrow(
      new Error(
        `spec.config: readinessChecks.${field}: expected a duration such as 5m30s, or none, found "5 minutes": did you mean "5m"?`,
      ),
    );
  });

  it("refuses values of a wrong type in fields of strings", () => {
    const wrong = { ...configMap, data: { port: 8080 } };
    const parse = (entry: object): unknown => parseManifestConfig({ ...v1alpha2, manifests: [entry] }, "spec.config");
    const expected = expect.objectContaining({
      message: "spec.config: ConfigMap n/a: data.port: expected a string, found a number",
      hint: "quote the value",
      retry: "never",
    });
    expect(() => parse({ manifest: wrong })).toThrow(expected);
    expect(() => parse({ manifest: { ...list, items: [wrong] } })).toThrow(expected);
    expect(() => parse({ policy: "ignore", manifest: wrong })).not.toThrow();
    const metadata = { ...configMap.metadata, labels: { version: 1.5 } };
    expect(() => parse({ manifest: { ...configMap, metadata } })).toThrow(
      expect.objectContaining({
        message: "spec.config: manifests[0].manifest.metadata.labels.version: expected a string, found a number",
        hint: "quote the value",
      }),
    );
  });

  it("of the old version says the same in fewer words, and loses nothing (A7)", () => {
    const old = parseManifestConfig(
      { ...v1alpha1, updateStrategy: "patch", manifests: [configMap, list], ...shared },
      "c",
    );
    const current = parseManifestConfig(
      {
        ...v1alpha2,
        updateStrategy: "patch",
        manifests: [configMap, list].map((manifest) => ({ policy: "manage", manifest })),
        ...shared,
      },
      "c",
    );
    expect(old).toEqual(current);
    expect([old.exports.length, old.deletionGroups, old.deletionGroupsDuringUpdate, old.continuousReconcile]).toEqual([
      1,
      shared.deletionGroups,
      shared.deletionGroupsDuringUpdate,
      shared.continuousReconcile,
    ]);
  });
});

describe("a defect is named by its field, without the value", () => {
  const check = (overrides: object) => ({
    readinessChecks: { custom: [{ ...shared.readinessChecks.custom[0], ...overrides }] },
  });
  const exported = (overrides: object) => ({ exports: { exports: [{ ...shared.exports.exports[0], ...overrides }] } });
  it.each<readonly [string, unknown, string]>([
    ["nothing", undefined, "c: not a valid ProviderConfiguration: expected an object, found nothing"],
    ["a text", "sentinel", "c: not a valid ProviderConfiguration: expected an object, found a string"],
    [
      "another version",
      { ...v1alpha2, apiVersion: "sentinel/v1" },
      'c: not a valid ProviderConfiguration: apiVersion: expected "manifest.deployer.landscaper.gardener.cloud/v1alpha2", found another text',
    ],
    [
      "another kind",
      { ...v1alpha2, kind: "sentinel" },
      'c: not a valid ProviderConfiguration: kind: expected "ProviderConfiguration", found another text',
    ],
    [
      "an unknown strategy",
      { ...v1alpha2, updateStrategy: "sentinel" },
      'c: not a valid ProviderConfiguration: updateStrategy: expected one of "update", "patch", "merge", "mergeOverwrite", "apply", found another text',
    ],
    [
      "an unknown policy",
      { ...v1alpha2, manifests: [{ policy: "sentinel", manifest: configMap }] },
      'c: not a valid ProviderConfiguration: manifests[0].policy: expected one of "manage", "fallback", "keep", "ignore", "immutable", found another text',
    ],
    [
      "no manifest",
      { ...v1alpha2, manifests: [{ policy: "manage" }] },
      "c: not a valid ProviderConfiguration: manifests[0].manifest: required field is missing",
    ],
    [
      "a manifest as text",
      { ...v1alpha2, manifests: [{ manifest: "sentinel" }] },
      "c: not a valid ProviderConfiguration: manifests[0].manifest: expected an object, found a string",
    ],
    [
      "a manifest without kind",
      { ...v1alpha2, manifests: [{ manifest: configMap }, { manifest: { ...configMap, kind: undefined } }] },
      "c: manifests[1].manifest.kind: expected a non-empty string, found nothing",
    ],
    [
      "an item of a List without name",
      { ...v1alpha1, manifests: [{ ...list, items: [{ ...configMap, metadata: {} }] }] },
      "c: manifests[0].manifest.items[0].metadata.name: expected a non-empty string, found nothing",
    ],
    [
      "a check of nothing",
      { ...v1alpha2, ...check({ resourceSelector: undefined }) },
      "c: readinessChecks.custom[0]: expected resourceSelector or labelSelector, found neither",
    ],
    [
      "a check of a nameless object",
      { ...v1alpha2, ...check({ resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap" }] }) },
      "c: readinessChecks.custom[0].resourceSelector[0].name: required field is missing",
    ],
    [
      "a check without value",
      { ...v1alpha2, ...check({ requirements: [{ jsonPath: ".x", operator: "==" }] }) },
      "c: readinessChecks.custom[0].requirements[0].values: operator == needs a value",
    ],
    [
      "a check with too many values",
      {
        ...v1alpha2,
        ...check({ requirements: [{ jsonPath: ".x", operator: "!=", values: [{ value: 1 }, { value: 2 }] }] }),
      },
      "c: readinessChecks.custom[0].requirements[0].values: operator != takes one value, found 2",
    ],
    [
      "an export of a nameless object",
      { ...v1alpha2, ...exported({ fromResource: { apiVersion: "v1", kind: "ConfigMap" } }) },
      "c: exports.exports[0].fromResource.name: required field is missing",
    ],
  ])("%s", (_name, value, message) => {
    expect(() => parseManifestConfig(value, "c")).toThrow(new LandscaperError({ message, reason: "InvalidInput" }));
  });

  it.each([
    [
      "in a check",
      check({ requirements: [{ jsonPath: ".data[", operator: "exists" }] }),
      "c: readinessChecks.custom[0].requirements[0].jsonPath: not a JSON path, see its position ",
    ],
    [
      "in an export",
      exported({ jsonPath: "{.data" }),
      "c: exports.exports[0].jsonPath: not a JSON path, see its position 6",
    ],
    [
      "behind a reference",
      exported({ fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".a[" } }),
      "c: exports.exports[0].fromObjectRef.jsonPath: not a JSON path, see its position ",
    ],
  ])("a path that cannot be read %s", (_name, part, start) => {
    const parse = (): unknown => parseManifestConfig({ ...v1alpha2, ...part }, "c");
    expect(parse).toThrow(start);
    expect(parse).toThrow(expect.objectContaining({ reason: "InvalidJsonPath" }));
  });

  it("ends the job", () => {
    try {
      parseManifestConfig({ ...v1alpha2, manifests: [{ manifest: { kind: "x" } }] }, "c");
    } catch (error) {
      expect(error).toMatchObject({ retry: "never", codes: ["ERR_CONFIGURATION_PROBLEM"] });
    }
    expect.hasAssertions();
  });
});
