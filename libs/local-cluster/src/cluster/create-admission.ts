import type { UnstructuredObject } from "@landscaper/api";
import { createPolicyEvaluator } from "../admission/policy-evaluator.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import type { AdmissionRequest, RestContext } from "../rest/rest-context.ts";
import { StatusError } from "../status/status-error.ts";
import type { Store } from "../storage/store.ts";

const group = "admissionregistration.k8s.io";

/** Asks the cluster's ValidatingAdmissionPolicies before each write. */
export function createAdmission(store: Store): RestContext["admit"] {
  const evaluator = createPolicyEvaluator();
  const policies = store.collection(`validatingadmissionpolicies.${group}`);
  const bindings = store.collection(`validatingadmissionpolicybindings.${group}`);
  return (request) => {
    if (policies.size === 0 || bindings.size === 0) return [];
    const { definition, namespace, object, oldObject } = request;
    const { denied, warnings } = evaluator.evaluate({
      policies: policies.list().map((policy) => policy.object),
      bindings: bindings.list().map((binding) => binding.object),
      request: {
        ...placeOf(request),
        object: object === undefined ? undefined : inVersion(definition, object),
        oldObject: oldObject === undefined ? undefined : inVersion(definition, oldObject),
        namespaceObject: store.collection("namespaces").get("", namespace)?.object,
      },
    });
    if (denied === undefined) return warnings;
    const { details } = denied;
    throw new StatusError({
      code: denied.code,
      reason: denied.reason,
      message: denied.message,
      details: {
        name: details.name,
        ...(details.group === "" ? {} : { group: details.group }),
        kind: details.kind,
        causes: details.causes,
      },
    });
  };
}

function placeOf(request: AdmissionRequest): Omit<AdmissionRequest, "definition"> & {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
} {
  const { definition, ...rest } = request;
  const { version, kind, plural } = definition;
  return { ...rest, group: definition.group, version, kind, resource: plural };
}

function inVersion(definition: ResourceDefinition, object: UnstructuredObject): UnstructuredObject {
  const converted = definition.convert?.fromStorage(object) ?? object;
  return { ...converted, apiVersion: groupVersionOf(definition), kind: definition.kind };
}
