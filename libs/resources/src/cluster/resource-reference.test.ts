import { describe, expect, it } from "@jest/globals";
import { crdTypes, isEstablished } from "../apply/custom-resource-definitions.ts";
import { parseResourceList } from "./discovery.ts";
import { groupOfManifest } from "../manifests/group-manifests.ts";
import { isOwnedBy, ownerLabelValue } from "./owner-label.ts";
import { formatResource, groupOf, keyOfReference, referenceTo, resourceId, versionOf } from "./resource-reference.ts";

describe("references", () => {
  it.each([
    ["v1", "", "v1"],
    ["apps/v1", "apps", "v1"],
    ["example.org/v1beta1", "example.org", "v1beta1"],
  ])("%s has group %j and version %s", (apiVersion, group, version) => {
    expect([groupOf(apiVersion), versionOf(apiVersion)]).toEqual([group, version]);
  });

  it("name namespaced and cluster-scoped objects", () => {
    expect(formatResource({ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "n" })).toBe("ConfigMap n/a");
    expect(formatResource({ apiVersion: "v1", kind: "Namespace", name: "n" })).toBe("Namespace n");
    expect(formatResource({ apiVersion: "v1", kind: "Namespace", name: "n", namespace: "" })).toBe("Namespace n");
  });

  it("identify an object by group, kind, namespace and name, not by version or uid", () => {
    const reference = { apiVersion: "apps/v1", kind: "Deployment", name: "a", namespace: "n" };
    expect(resourceId({ ...reference, apiVersion: "apps/v1beta1", uid: "u" })).toBe(resourceId(reference));
    expect(resourceId({ ...reference, apiVersion: "example.org/v1" })).not.toBe(resourceId(reference));
    // Kubernetes has moved the kind.
    expect(resourceId({ ...reference, apiVersion: "extensions/v1beta1" })).toBe(resourceId(reference));
    expect(resourceId({ ...reference, namespace: "" })).toBe(resourceId({ ...reference, namespace: undefined }));
  });

  it("are made of objects", () => {
    const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n", uid: "u" } };
    expect(referenceTo(object)).toEqual({ apiVersion: "v1", kind: "Secret", name: "s", namespace: "n", uid: "u" });
  });

  it("follow discovery, not the manifest, in what is namespaced", () => {
    const reference = { apiVersion: "v1", kind: "Namespace", name: "n", namespace: "mistake" };
    expect(keyOfReference(reference, false)).toEqual({ name: "n" });
    expect(keyOfReference(reference, true)).toEqual({ name: "n", namespace: "mistake" });
  });
});

describe("groups of application", () => {
  it.each([
    ["apiextensions.k8s.io/v1", "CustomResourceDefinition", false, "crds"],
    ["example.org/v1", "CustomResourceDefinition", true, "namespaced"],
    ["v1", "Namespace", false, "namespaces"],
    ["example.org/v1", "Namespace", true, "namespaced"],
    ["rbac.authorization.k8s.io/v1", "ClusterRole", false, "clusterScoped"],
    ["v1", "ConfigMap", true, "namespaced"],
  ])("%s %s (namespaced: %j) is in %s", (...[apiVersion, kind, namespaced, group]) => {
    expect(groupOfManifest({ apiVersion, kind, name: "a" }, namespaced)).toBe(group);
  });
});

describe("the owner label", () => {
  it("is the item's name", () => {
    expect(ownerLabelValue("item")).toBe("item");
    expect(ownerLabelValue("a".repeat(63))).toBe("a".repeat(63));
  });

  it("is hashed when the name is too long for a label", () => {
    const value = ownerLabelValue("a".repeat(64));
    expect(value).toMatch(/^a{54}-[0-9a-f]{8}$/);
    expect(value).toHaveLength(63);
    expect(ownerLabelValue("a".repeat(65))).not.toBe(value);
  });

  it("tells the owner of an object", () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels: { owner: "item" } } };
    expect(isOwnedBy(object, { key: "owner", value: "item" })).toBe(true);
    expect(isOwnedBy(object, { key: "owner", value: "other" })).toBe(false);
    expect(isOwnedBy({ ...object, metadata: { name: "a" } }, { key: "owner", value: "item" })).toBe(false);
  });
});

describe("discovery", () => {
  it("reads kinds and skips subresources and what is damaged", () => {
    const resources = [
      { name: "deployments", kind: "Deployment", namespaced: true },
      { name: "deployments/scale", kind: "Scale", namespaced: true },
      { name: "things", kind: "Thing", namespaced: false },
      { name: 7, kind: "Number" },
      null,
    ];
    expect([...parseResourceList({ resources }, "apps/v1").values()]).toEqual([
      { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true },
      { group: "apps", version: "v1", kind: "Thing", plural: "things", namespaced: false },
    ]);
  });

  it.each([undefined, null, "text", {}, { resources: "none" }])("finds nothing in %j", (list) => {
    expect(parseResourceList(list, "v1").size).toBe(0);
  });
});

describe("kinds that CRDs define", () => {
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.org" },
    spec: { group: "example.org", scope: "Namespaced", names: { kind: "Thing", plural: "things" } },
  };

  it("are known without discovery, in every version", () => {
    const types = crdTypes([crd, { ...crd, spec: {} }, { ...crd, apiVersion: "v1" }]);
    expect(types.kinds).toEqual(["example.org/Thing"]);
    expect(types.typeOf({ apiVersion: "example.org/v2", kind: "Thing" })).toEqual({
      group: "example.org",
      version: "v2",
      kind: "Thing",
      plural: "things",
      namespaced: true,
    });
    expect(types.typeOf({ apiVersion: "other.org/v2", kind: "Thing" })).toBe(undefined);
  });

  it.each([
    ["no object", undefined, false],
    ["no status", crd, false],
    ["other conditions", { ...crd, status: { conditions: [{ type: "NamesAccepted", status: "True" }] } }, false],
    ["Established False", { ...crd, status: { conditions: [{ type: "Established", status: "False" }] } }, false],
    ["Established True", { ...crd, status: { conditions: [null, { type: "Established", status: "True" }] } }, true],
  ])("with %s are established: %j", (_name, object, want) => {
    expect(isEstablished(object)).toBe(want);
  });
});
