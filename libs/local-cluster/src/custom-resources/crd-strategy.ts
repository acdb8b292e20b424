import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { validateCrd } from "./validate-crd.ts";

/** Keeps a CRD until its instances are gone. */
export const crdFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Rules of CustomResourceDefinitions themselves. */
export const crdStrategy: Strategy = {
  prepareForCreate: (crd) => ({
    ...crd,
    status: {
      acceptedNames: { kind: "", plural: "" },
      conditions: null,
      storedVersions: listAt(crd, "spec", "versions")
        .filter((version) => fieldAt(version, "storage") === true)
        .map((version) => stringAt(version, "name")),
    },
  }),
  validate: validateCrd,
  // The first delete never removes at once: it only marks, and adds the finalizer.
  isHeld: ({ metadata }) => metadata.deletionTimestamp === undefined,
  prepareForDelete: (crd) => {
    const finalizers = [...new Set([...(crd.metadata.finalizers ?? []), crdFinalizer])];
    const conditions = listAt(crd, "status", "conditions").filter(isRecord);
    return {
      ...crd,
      metadata: { ...crd.metadata, finalizers },
      status: { ...recordAt(crd, "status"), conditions: [...conditions, terminating(crd)] },
    };
  },
};

function terminating(crd: UnstructuredObject): Readonly<Record<string, unknown>> {
  return {
    type: "Terminating",
    status: "True",
    lastTransitionTime: crd.metadata.deletionTimestamp,
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
}
