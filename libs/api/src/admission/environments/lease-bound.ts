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

/** CEL: identity of the holder of a Lease, or of the last holder if it released the Lease. */
function holderOf(lease: string): string {
  const held = `${lease}.?spec.?holderIdentity.orValue('')`;
  return `(${held} != '' ? ${held} : ${mapOf(lease, "annotations")}[?'${leaseHolderAnnotation}'].orValue(''))`;
}

/**
 * CEL: the account may write the Lease. Names of deployers' Leases differ in shape from names of cores and agents, so a deployer cannot take over such a Lease. With
 * another holder, the Lease of an agent would count as that of a replica of other deployers.
 */
const ownLease = (lease: string): string =>
  `((variables.isAgent ? ${lease}.metadata.name == variables.account : ${lease}.metadata.name.matches('${deployerLeaseName}')) && ${holderOf(lease)}.startsWith(variables.identity + '/'))`;

const lastHolder = `${mapOf("object", "annotations")}[?'${leaseHolderAnnotation}'].orValue('')`;

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
      message:
        "the name and the holder of the Lease must be valid for the account: landscaper-agent-ENVIRONMENT for an agent; for a deployer, a name with a dot and eight hexadecimal digits at the end, and a holder REGISTRATION-ENVIRONMENT/POD",
    },
    {
      expression: `object == null || ${[
        onlyKeys(mapOf("object", "labels"), [leaseTypeLabel, leaseGroupLabel, labels.deployerEnvironment]),
        onlyKeys(mapOf("object", "annotations"), [leaseHolderAnnotation, ...Object.values(agentLeaseAnnotations)]),
        `${listOf("object", "ownerReferences")}.size() + ${listOf("object", "finalizers")}.size() == 0`,
      ].join(" && ")}`,
      message:
        "the Lease must have no labels and annotations except the ones that agents and deployers set, no owner references and no finalizers",
    },
    {
      // Readers take the deployer that the annotation names for ended.
      expression: `object == null || ${lastHolder} == '' || ${lastHolder} == object.?spec.?holderIdentity.orValue('') || ${lastHolder}.startsWith(variables.identity + '/')`,
      message: `the annotation ${leaseHolderAnnotation} must be absent, equal the holder, or begin with the identity of the account`,
    },
    {
      expression: `object == null || object.?spec.?leaseDurationSeconds.orValue(0) <= ${maxLeaseDurationSeconds}`,
      message: `leaseDurationSeconds must be at most ${maxLeaseDurationSeconds}`,
    },
  ],
};
