import { annotations, apiVersion, labels, type DeployItem } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { adoptDeployItem } from "./apply-deploy-items.ts";

const time = "2026-11-28T08:00:00Z";

/** A DeployItem that the Execution with this uid controls. */
function itemOf(uid: string, metadata: DeployItem["metadata"] = {}, type = "test/wanted"): DeployItem {
  const owner = { apiVersion, kind: "Execution", name: "root", uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: { name: "item", ...metadata, ownerReferences: [owner] },
    spec: { type },
  };
}

const desired = itemOf("own", {
  labels: { [labels.managedName]: "item" },
  annotations: { [annotations.environments]: "edge", [annotations.reconcileTime]: "2026-11-28T09:00:00Z" },
});

describe("adoptDeployItem", () => {
  it("writes nothing to the object of a create whose answer was lost", () => {
    const created = itemOf("own", {
      ...desired.metadata,
      uid: "u",
      annotations: { ...desired.metadata.annotations, [annotations.reconcileTime]: time },
    });
    expect(adoptDeployItem(created, desired)).toEqual(created);
  });

  it("gives an object that another client has created the wanted spec, labels and annotations", () => {
    const foreign = itemOf("own", { uid: "u", annotations: { [annotations.environments]: "*" } }, "test/foreign");
    expect(adoptDeployItem(foreign, desired)).toEqual(itemOf("own", { ...desired.metadata, uid: "u" }));
  });

  it("refuses an object of another Execution", () => {
    expect(() => adoptDeployItem(itemOf("other"), desired)).toThrow(
      "deploy item item: an object of this name exists and has another owner",
    );
  });
});
