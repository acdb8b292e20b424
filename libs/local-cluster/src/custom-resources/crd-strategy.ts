import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { validateCrd } from "../schema/crd/validate-crd.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";

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
  validate: (crd, old) => (old === undefined ? validateCrd(crd) : validateUpdate(crd, old)),
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

/** The name was checked when the CRD was created; what it names never changes. */
function validateUpdate(crd: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const unchanged = [
    ["spec", "group"],
    ["spec", "scope"],
    ["spec", "names", "plural"],
    ["spec", "names", "kind"],
  ] as const;
  const changes = unchanged
    .filter((path) => !equalJson(fieldAt(crd, ...path), fieldAt(old, ...path)))
    .map((path) => invalidField(path.join("."), fieldAt(crd, ...path), "field is immutable"));
  return [...changes, ...validateCrd(crd).filter(({ field }) => field !== "metadata.name")];
}

function terminating(crd: UnstructuredObject): Readonly<Record<string, unknown>> {
  return {
    type: "Terminating",
    status: "True",
    lastTransitionTime: crd.metadata.deletionTimestamp,
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
}
