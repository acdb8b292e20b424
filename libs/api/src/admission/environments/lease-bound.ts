import { agentLeaseAnnotations, leaseHolderAnnotation, leaseProbeName } from "../../objects/agent-names.ts";
import { labels } from "../../objects/labels.ts";
import {
  deployerLeaseName,
  leaseGroupLabel,
  leaseTypeLabel,
  maxLeaseDurationSeconds,
} from "../../objects/lease-rules.ts";
import { listOf, mapOf, onlyKeys } from "./environment-account.ts";
import type { EnvironmentBound } from "./environment-bound.ts";

/** CEL: who holds a Lease, or held it before giving it up. */
function holderOf(lease: string): string {
  const held = `${lease}.?spec.?holderIdentity.orValue('')`;
  return `(${held} != '' ? ${held} : ${mapOf(lease, "annotations")}[?'${leaseHolderAnnotation}'].orValue(''))`;
}

/** CEL: the Lease is one of the account. A deployer's name has another shape than those of cores and agents, so it cannot take one of these. */
const ownLease = (lease: string): string =>
  `(variables.isAgent ? ${lease}.metadata.name == variables.account : ${lease}.metadata.name.matches('${deployerLeaseName}') && ${holderOf(lease)}.startsWith(variables.identity + '/'))`;

const isProbe = `object != null && object.metadata.name == '${leaseProbeName}' && has(request.dryRun) && request.dryRun`;

/** docs/reference/deployer-management.md#bounds */
export const leaseBound: EnvironmentBound = {
  name: "leases",
  group: "coordination.k8s.io",
  version: "v1",
  resources: ["leases"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  rules: [
    {
      expression: `${isProbe} || (oldObject == null || ${ownLease("oldObject")}) && (object == null || ${ownLease("object")})`,
      message: "the Lease does not belong to the account's agent or deployer, by its name and holder",
    },
    {
      expression: `object == null || ${[
        onlyKeys(mapOf("object", "labels"), [leaseTypeLabel, leaseGroupLabel, labels.deployerEnvironment]),
        onlyKeys(mapOf("object", "annotations"), [leaseHolderAnnotation, ...Object.values(agentLeaseAnnotations)]),
        `${listOf("object", "ownerReferences")}.size() + ${listOf("object", "finalizers")}.size() == 0`,
      ].join(" && ")}`,
      message:
        "the Lease must have no other labels and annotations than those of agents and deployers, no owner references and no finalizers",
    },
    {
      expression: `object == null || object.?spec.?leaseDurationSeconds.orValue(0) <= ${maxLeaseDurationSeconds}`,
      message: `leaseDurationSeconds must be at most ${maxLeaseDurationSeconds}`,
    },
  ],
};
