// Garbage collection removes references to owners that are not in the namespace, but later: until then the core must not follow them.
import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type Execution, type Installation, type KubeObject } from "@landscaper/api";
import { fixedLister } from "../../test/listers.ts";
import { deployItemIndexes, listDeployItems } from "../execution/deploy-item-index.ts";
import { isExecutionOf } from "../installation/find-execution.ts";
import { installationIndexes, listSubinstallations } from "../installation/imports/siblings.ts";

const owned = (kind: string, namespace: string) => ({
  name: `of-${namespace}`,
  namespace,
  ownerReferences: [{ apiVersion, kind, name: "root", uid: "of-the-victim", controller: true }],
});
const metadata = { name: "root", namespace: "victim", uid: "of-the-victim" };
const namesOf = (objects: readonly KubeObject[]) => objects.map((object) => object.metadata.name);

describe("an owner reference with the uid of an object of another namespace", () => {
  it("makes no subinstallation", () => {
    const spec: Installation["spec"] = { blueprint: {} };
    const make = (namespace: string): Installation => ({
      apiVersion,
      kind: "Installation",
      metadata: owned("Installation", namespace),
      spec,
    });
    const lister = fixedLister([make("thief"), make("victim")], installationIndexes);
    const parent: Installation = { apiVersion, kind: "Installation", metadata, spec };
    expect(namesOf(listSubinstallations(lister, parent))).toEqual(["of-victim"]);
  });

  it("makes no deploy item", () => {
    const make = (namespace: string): DeployItem => ({
      apiVersion,
      kind: "DeployItem",
      metadata: owned("Execution", namespace),
      spec: { type: "test/item" },
    });
    const lister = fixedLister([make("thief"), make("victim")], deployItemIndexes);
    const status = { deployItemCache: { activeDIs: [], orphanedDIs: ["of-thief", "of-victim"] } };
    const execution: Execution = { apiVersion, kind: "Execution", metadata, spec: {}, status };
    expect(namesOf(listDeployItems(lister, execution))).toEqual(["of-victim"]);
  });
});

describe("the Execution of an Installation", () => {
  const installation: Installation = { apiVersion, kind: "Installation", metadata, spec: { blueprint: {} } };
  it.each([
    ["has its name and is controlled by it", { name: "root", namespace: "victim" }, "of-the-victim", true],
    ["has the name alone", { name: "root", namespace: "victim" }, "of-another", false],
    ["is controlled by it, with another name", { name: "forged", namespace: "victim" }, "of-the-victim", false],
    ["is in another namespace", { name: "root", namespace: "thief" }, "of-the-victim", false],
  ])("%s", (...[, place, uid, want]) => {
    const ownerReferences = [{ apiVersion, kind: "Installation", name: "root", uid, controller: true }];
    const execution: Execution = { apiVersion, kind: "Execution", metadata: { ...place, ownerReferences }, spec: {} };
    expect(isExecutionOf(execution, installation)).toBe(want);
  });
});
