import { describe, expect, it } from "@jest/globals";
import { PatchError } from "./patch-error.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
import { hasStrategicSchema } from "./strategic-schema.ts";

const configMap = { apiVersion: "v1", kind: "ConfigMap" };

describe("applyStrategicMergePatch", () => {
  const failures: [string, () => unknown, number, string][] = [
    [
      "custom resources with 415",
      () =>
        applyStrategicMergePatch({}, {}, { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Installation" }),
      415,
      "strategic merge patch is not supported for landscaper.gardener.cloud/v1alpha1 Installation; use a JSON merge patch",
    ],
    [
      "a patch that is a list",
      () => applyStrategicMergePatch({}, [1], configMap),
      400,
      "json: cannot unmarshal array into Go value of type map[string]interface {}",
    ],
    [
      "a patch that is a boolean",
      () => applyStrategicMergePatch({}, true, configMap),
      400,
      "json: cannot unmarshal bool into Go value of type map[string]interface {}",
    ],
    [
      "a list of lists",
      () =>
        applyStrategicMergePatch({ metadata: { finalizers: ["a"] } }, { metadata: { finalizers: [["b"]] } }, configMap),
      422,
      "lists of lists are not supported",
    ],
  ];
  for (const [name, run, status, message] of failures) {
    it(`refuses ${name}`, () => {
      try {
        run();
        throw new Error("not refused");
      } catch (error) {
        expect(error).toBeInstanceOf(PatchError);
        expect([(error as PatchError).status, (error as PatchError).message]).toEqual([status, message]);
      }
    });
  }

  it("applies the same patch twice with the same result", () => {
    const type = { apiVersion: "v1", kind: "Pod" };
    const patch = {
      spec: {
        containers: [
          { name: "b", env: [{ name: "X", value: "1" }] },
          { name: "a", $patch: "delete" },
        ],
      },
    };
    const once = applyStrategicMergePatch({ spec: { containers: [{ name: "a" }, { name: "c" }] } }, patch, type);
    expect(once).toEqual({ spec: { containers: [{ name: "b", env: [{ name: "X", value: "1" }] }, { name: "c" }] } });
    expect(applyStrategicMergePatch(once, patch, type)).toEqual(once);
  });

  it("keeps __proto__ as data", () => {
    const patch = JSON.parse('{"data":{"__proto__":"x"}}') as unknown;
    expect(JSON.stringify(applyStrategicMergePatch({ data: { a: "b" } }, patch, configMap))).toBe(
      '{"data":{"a":"b","__proto__":"x"}}',
    );
  });
});

describe("hasStrategicSchema", () => {
  const cases: [string, string, boolean][] = [
    ["v1", "Pod", true],
    ["v1", "ConfigMap", true],
    ["apps/v1", "Deployment", true],
    ["rbac.authorization.k8s.io/v1", "Role", true],
    ["apiextensions.k8s.io/v1", "CustomResourceDefinition", true],
    ["landscaper.gardener.cloud/v1alpha1", "Installation", false],
    ["gateway.networking.k8s.io/v1", "Gateway", false],
    ["constructor/v1", "Pod", false],
  ];
  for (const [apiVersion, kind, want] of cases) {
    it(`answers ${want} for ${apiVersion} ${kind}`, () => {
      expect(hasStrategicSchema(apiVersion, kind)).toBe(want);
    });
  }
});
