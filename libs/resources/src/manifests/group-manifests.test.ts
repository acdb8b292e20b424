import { describe, expect, it } from "@jest/globals";
import { groupOfManifest, manifestGroups } from "./group-manifests.ts";

describe("the group of a manifest", () => {
  it.each([
    ["apiextensions.k8s.io/v1", "CustomResourceDefinition", false, "crds"],
    ["v1", "Namespace", false, "namespaces"],
    ["rbac.authorization.k8s.io/v1", "ClusterRole", false, "clusterScoped"],
    ["v1", "ServiceAccount", true, "serviceAccounts"],
    ["v1", "Secret", true, "namespaced"],
    ["example.org/v1", "ServiceAccount", true, "namespaced"],
    ["example.org/v1", "Namespace", true, "namespaced"],
    ["example.org/v1", "CustomResourceDefinition", true, "namespaced"],
  ] as const)("of %s %s (namespaced: %s) is %s", (...row) => {
    const [apiVersion, kind, namespaced, group] = row;
    const reference = { apiVersion, kind, name: "x", namespace: namespaced ? "ns" : undefined };
    expect(groupOfManifest(reference, namespaced)).toBe(group);
  });

  it("comes before the groups that need it: an account before its token Secret", () => {
    expect(manifestGroups.indexOf("serviceAccounts")).toBeLessThan(manifestGroups.indexOf("namespaced"));
    expect(manifestGroups.indexOf("namespaces")).toBeLessThan(manifestGroups.indexOf("serviceAccounts"));
  });
});
