import { describe, expect, it } from "@jest/globals";
import { decodeJson } from "./decode-json.ts";
import { findBuiltinType, findStruct } from "./parse-builtin-types.ts";

const read = (apiVersion: string, kind: string, value: Record<string, unknown>) =>
  decodeJson(findBuiltinType(apiVersion, kind)!, value);

describe("decodeJson", () => {
  it("drops fields that the struct lacks and names them in the order of the document", () => {
    const { value, unknownFields } = read("v1", "ConfigMap", {
      dat: {},
      metadata: { name: "a", lables: {} },
      data: { k: "v" },
    });
    expect(value).toEqual({ metadata: { name: "a" }, data: { k: "v" } });
    expect(unknownFields).toEqual(['unknown field "dat"', 'unknown field "metadata.lables"']);
  });

  it("names fields in lists by their position", () => {
    const containers = [
      { name: "a", image: "x:1" },
      { name: "b", image: "x:1", imag: "y" },
    ];
    const { unknownFields } = read("v1", "Pod", { spec: { containers } });
    expect(unknownFields).toEqual(['unknown field "spec.containers[1].imag"']);
  });

  it("leaves out what Go would leave out", () => {
    const { value } = read("v1", "ConfigMap", {
      metadata: { name: "a", labels: {}, annotations: null, finalizers: [], generation: 0 },
      data: {},
      immutable: null,
    });
    expect(value).toEqual({ metadata: { name: "a" } });
  });

  it("keeps what a pointer points to, also when it is zero", () => {
    const { value } = read("v1", "ConfigMap", { metadata: {}, immutable: false });
    expect(value).toEqual({ metadata: {}, immutable: false });
  });

  it("writes what Go always writes", () => {
    expect(read("rbac.authorization.k8s.io/v1", "Role", { metadata: { name: "r" }, rules: [] }).value).toEqual({
      metadata: { name: "r" },
      rules: null,
    });
  });

  it("flattens embedded structs", () => {
    const { value } = read("v1", "Pod", {
      spec: { containers: [], volumes: [{ name: "v", secret: { secretName: "s" } }] },
    });
    expect(value["spec"]).toMatchObject({ volumes: [{ name: "v", secret: { secretName: "s", defaultMode: 420 } }] });
  });

  const mismatches: readonly (readonly [string, string, Record<string, unknown>, string])[] = [
    [
      "v1",
      "ConfigMap",
      { data: { a: 1 } },
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ],
    [
      "v1",
      "ConfigMap",
      { data: "x" },
      "json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string",
    ],
    [
      "v1",
      "ConfigMap",
      { immutable: "yes" },
      "json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool",
    ],
    ["v1", "Pod", { spec: [] }, "json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec"],
    [
      "v1",
      "Pod",
      { spec: { containers: {} } },
      "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    [
      "v1",
      "Pod",
      { spec: { containers: [{ image: 1 }] } },
      "json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string",
    ],
    [
      "apps/v1",
      "Deployment",
      { spec: { replicas: "two" } },
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    [
      "v1",
      "Service",
      { spec: { type: 1 } },
      "json: cannot unmarshal number into Go struct field ServiceSpec.spec.type of type v1.ServiceType",
    ],
    ["v1", "Secret", { data: { a: "!" } }, "illegal base64 data at input byte 0"],
  ];
  for (const [apiVersion, kind, value, message] of mismatches) {
    it(`refuses ${kind} ${JSON.stringify(value)}`, () => {
      expect(() => read(apiVersion, kind, value)).toThrow(message);
    });
  }

  it("reads metadata by itself", () => {
    const { value } = decodeJson(findStruct("ObjectMeta"), { name: "a", creationTimestamp: null, uid: "u" });
    expect(value).toEqual({ name: "a", uid: "u" });
  });

  it("knows no kinds but the built-in ones", () => {
    expect(findBuiltinType("example.com/v1", "Thing")).toBeUndefined();
    expect(() => findStruct("Thing")).toThrow("builtin types: no struct Thing");
  });
});
