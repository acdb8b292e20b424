import type { UnstructuredObject } from "@landscaper/api";
import { listAt, recordAt, stringAt } from "../objects/json.ts";
import { ipAddress } from "../rules/address-rules.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField } from "../status/field-error.ts";

const place = "status.loadBalancer.ingress";

/** Checks the addresses that a load balancer reports in the status of a Service or an Ingress. */
export function validateBalancerStatus(object: UnstructuredObject): readonly FieldError[] {
  return listAt(object, "status", "loadBalancer", "ingress").flatMap((entry, i) => {
    const owner = recordAt(entry);
    return stringAt(owner, "ip") === "" ? [] : ipAddress(owner["ip"], `${place}[${i}].ip`, owner);
  });
}

/** Checks the status of a Service. Only the type LoadBalancer may have addresses of a load balancer. */
export function validateServiceStatus(service: UnstructuredObject): readonly FieldError[] {
  const isBalancer = stringAt(service, "spec", "type") === "LoadBalancer";
  return isBalancer || listAt(service, "status", "loadBalancer", "ingress").length === 0
    ? validateBalancerStatus(service)
    : [forbiddenField(place, "may only be used when `spec.type` is 'LoadBalancer'")];
}
