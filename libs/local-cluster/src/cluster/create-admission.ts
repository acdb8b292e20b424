import type { UnstructuredObject } from "@landscaper/api";
import { createPolicyEvaluator } from "../admission/policy-evaluator.ts";
import type { PolicyRequest } from "../admission/policy-request.ts";
import { keepManagedFields } from "../admission/webhooks/keep-managed-fields.ts";
import type { WebhookAdmission, WebhookRequest } from "../admission/webhooks/webhook-admission.ts";
import { recordAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import { decodeBody } from "../rest/decode-body.ts";
import type { AdmissionRequest, RestContext } from "../rest/rest-context.ts";
import { typeMetaProblem } from "../rest/type-meta.ts";
import { StatusError, internalError } from "../status/status-error.ts";
import type { Store } from "../storage/store.ts";

const group = "admissionregistration.k8s.io";

/** Evaluates the cluster's ValidatingAdmissionPolicies and calls its webhooks before each write. */
export function createAdmission(
  store: Store,
  webhooks: WebhookAdmission,
): Pick<RestContext, "admit" | "admitMutating"> {
  const evaluate = createPolicyCheck(store);
  return {
    admitMutating: (request) => {
      if (webhooks.isEmpty) return { object: request.object, warnings: [] };
      const asked = webhookRequest(store, request);
      const { object, warnings } = webhooks.ask("mutating", asked);
      if (object === undefined || object === asked.object) return { object: request.object, warnings };
      const kept = keepManagedFields(request.object, decodePatched(request.definition, object));
      return { object: kept.object, warnings: [...warnings, ...kept.warnings] };
    },
    admit: (request) => {
      const warnings = evaluate(request);
      if (webhooks.isEmpty) return warnings;
      const mutating =
        request.operation === "DELETE" ? webhooks.ask("mutating", webhookRequest(store, request)).warnings : [];
      return [...mutating, ...warnings, ...webhooks.ask("validating", webhookRequest(store, request)).warnings];
    },
  };
}

function policyRequest(store: Store, request: AdmissionRequest): PolicyRequest {
  const { definition, object, oldObject, namespace } = request;
  return {
    ...placeOf(request),
    object: object === undefined ? undefined : inVersion(definition, object),
    oldObject: oldObject === undefined ? undefined : inVersion(definition, oldObject),
    namespaceObject: store.collection("namespaces").get("", namespace)?.object,
  };
}

function webhookRequest(store: Store, request: AdmissionRequest): WebhookRequest {
  const { definition } = request;
  return {
    ...policyRequest(store, request),
    decodePatched: (object) => inVersion(definition, decodePatched(definition, object)),
  };
}

/** Decodes a patched object like a request body. Throws StatusError 500 instead of 400: the webhook is at fault, not the client. */
function decodePatched(definition: ResourceDefinition, object: unknown): UnstructuredObject {
  const problem = typeMetaProblem(object);
  if (problem !== undefined) throw internalError(problem);
  const { apiVersion = groupVersionOf(definition), kind = definition.kind } = recordAt({ object }, "object");
  const whole = { ...recordAt({ object }, "object"), apiVersion, kind };
  try {
    return decodeBody(definition, whole, { fieldValidation: "Ignore" }).object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw internalError(error.message.replace(/^.* cannot be handled as a \w+: /, ""));
  }
}

function createPolicyCheck(store: Store): RestContext["admit"] {
  const evaluator = createPolicyEvaluator();
  const policies = store.collection(`validatingadmissionpolicies.${group}`);
  const bindings = store.collection(`validatingadmissionpolicybindings.${group}`);
  return (request) => {
    if (policies.size === 0 || bindings.size === 0) return [];
    const { denied, warnings } = evaluator.evaluate({
      policies: policies.list().map((policy) => policy.object),
      bindings: bindings.list().map((binding) => binding.object),
      request: policyRequest(store, request),
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
