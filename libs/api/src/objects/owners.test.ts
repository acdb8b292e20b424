import { describe, expect, it } from "@jest/globals";
import type { KubeObject, OwnerReference } from "./kube-object.ts";
import { controllerOf, installationOwners, parentOf } from "./owners.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => {
  return { apiVersion, kind: "Installation", name, uid: name, ...more };
};
const plain = owner("plain");
const controller = owner("controller", { controller: true });
const execution = owner("execution", { kind: "Execution", controller: true });
/** Kinds of other groups may have the same name. */
const foreign = owner("foreign", { apiVersion: "example.org/v1", controller: true });
const similar = owner("similar", { apiVersion: "landscaper.gardener.cloud.example.org/v1", controller: true });

function ownedBy(...ownerReferences: OwnerReference[]): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "x", ownerReferences } };
}

describe("the owners of an object", () => {
  const object = ownedBy(foreign, similar, execution, plain, controller);

  it("are those of the kind and of our group", () => {
    expect(installationOwners(object)).toEqual([plain, controller]);
    expect(parentOf(object)).toBe(plain);
    expect([
      installationOwners(ownedBy(foreign, similar, execution)),
      parentOf(ownedBy(foreign, similar, execution)),
    ]).toEqual([[], undefined]);
  });

  it("control it when their reference says so", () => {
    expect(controllerOf(object, "Installation")).toBe(controller);
    expect(controllerOf(object, "Execution")).toBe(execution);
    expect(controllerOf(ownedBy(foreign, similar, execution, plain), "Installation")).toBeUndefined();
  });

  it("are none without references", () => {
    const bare: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } };
    expect([installationOwners(bare), controllerOf(bare, "Execution")]).toEqual([[], undefined]);
  });
});
