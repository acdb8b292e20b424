import { describe, expect, it } from "@jest/globals";
import type { DeletionGroup } from "@landscaper/api";
import { isSelected, planDeletion } from "./deletion-groups.ts";
import type { ManagedResource } from "../manifests/manifest.ts";

function entry(kind: string, name: string, namespace?: string): ManagedResource {
  const apiVersion = kind === "CustomResourceDefinition" ? "apiextensions.k8s.io/v1" : "v1";
  return { resource: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) } };
}

const crd = entry("CustomResourceDefinition", "things.example.org");
const namespace = entry("Namespace", "n");
const configMap = entry("ConfigMap", "a", "n");
const secret = entry("Secret", "s", "n");
const otherSecret = entry("Secret", "s", "m");
const all = [crd, namespace, configMap, secret, otherSecret];

function predefined(type: NonNullable<DeletionGroup["predefinedResourceGroup"]>["type"]): DeletionGroup {
  return { predefinedResourceGroup: { type } };
}

function steps(groups: readonly DeletionGroup[] | undefined): string[][] {
  return planDeletion(all, groups).steps.map(({ entries }) => entries.map(({ resource }) => resource.kind));
}

describe("the steps of a deletion", () => {
  it.each([
    ["no groups", undefined],
    ["an empty list", []],
  ])("%s means namespaced, then cluster-scoped, then CRDs", (_name, groups) => {
    expect(steps(groups)).toEqual([["ConfigMap", "Secret", "Secret"], ["Namespace"], ["CustomResourceDefinition"]]);
  });

  it("what no group selects is abandoned: CRDs stay", () => {
    const plan = planDeletion(all, [predefined("namespaced-resources"), predefined("cluster-scoped-resources")]);
    expect(plan.abandoned).toEqual([crd]);
  });

  it("the group empty selects nothing", () => {
    const plan = planDeletion(all, [predefined("empty")]);
    expect(plan.steps.map(({ entries }) => entries)).toEqual([[]]);
    expect(plan.abandoned).toEqual(all);
  });

  it("the first group that matches takes an object", () => {
    const custom = { customResourceGroup: { resources: [{ apiVersion: "v1", kind: "Secret", namespaces: ["n"] }] } };
    expect(steps([custom, predefined("namespaced-resources")])).toEqual([["Secret"], ["ConfigMap", "Secret"]]);
  });

  it("a custom group on another target selects nothing of the inventory", () => {
    const custom = {
      customResourceGroup: {
        resources: [{ apiVersion: "v1", kind: "Secret" }],
        deleteAllResources: true,
        targetName: "t",
      },
    };
    expect(steps([custom])).toEqual([[]]);
  });

  it("force is taken from the group's own kind", () => {
    const plan = planDeletion(all, [
      { predefinedResourceGroup: { type: "crds", forceDelete: true } },
      { customResourceGroup: { resources: [], forceDelete: true } },
      predefined("namespaced-resources"),
    ]);
    expect(plan.steps.map(({ forceDelete }) => forceDelete)).toEqual([true, true, false]);
  });
});

describe("a selection of a custom group", () => {
  it.each([
    ["kind and version alone", {}, true],
    ["its name", { names: ["s", "t"] }, true],
    ["another name", { names: ["t"] }, false],
    ["its namespace", { namespaces: ["n"] }, true],
    ["another namespace", { namespaces: ["m"] }, false],
    ["empty lists", { names: [], namespaces: [] }, true],
    ["the plural of the kind", { kind: "secrets" }, false],
    ["another version", { apiVersion: "v2" }, false],
  ])("by %s: %j", (_name, overrides, want) => {
    expect(isSelected({ apiVersion: "v1", kind: "Secret", ...overrides }, secret.resource)).toBe(want);
  });
});
