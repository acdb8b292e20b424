import { apiVersion } from "../../objects/api-group.ts";
import { resources } from "../../objects/resources.ts";
import { listOf, mapOf } from "./environment-account.ts";
import type { EnvironmentBound } from "./environment-bound.ts";

const regarding = "object.?regarding";
const kinds = [resources.deployItem.kind, resources.target.kind].map((kind) => `'${kind}'`).join(", ");
/** Components of Kubernetes and of the hub have names without a dot. */
const deployerName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)+$";

const onWrite = (expression: string): string => `object == null || ${expression}`;

/** docs/reference/deployer-management.md#bounds */
export const eventBound: EnvironmentBound = {
  name: "events",
  group: "events.k8s.io",
  version: "v1",
  resources: ["events"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  rules: [
    {
      expression: ["oldObject", "object"]
        .map((event) => `(${event} == null || ${event}.?reportingInstance.orValue('') == variables.identity)`)
        .join(" && "),
      message: "reportingInstance must be the identity of the account, REGISTRATION-ENVIRONMENT",
    },
    {
      expression: onWrite(`object.?reportingController.orValue('').matches('${deployerName}')`),
      message: "reportingController must be the name of a deployer, a DNS name with at least one dot",
    },
    {
      expression: onWrite(
        `${regarding}.?kind.orValue('') in [${kinds}] && ${regarding}.?apiVersion.orValue('') == '${apiVersion}' && ${regarding}.?namespace.orValue('') == request.namespace && !has(object.related)`,
      ),
      message: "regarding must be a DeployItem or Target in the namespace of the Event, and related must be absent",
    },
    {
      expression: onWrite(
        `${mapOf("object", "labels")}.size() + ${mapOf("object", "annotations")}.size() + ${listOf("object", "ownerReferences")}.size() + ${listOf("object", "finalizers")}.size() == 0`,
      ),
      message: "the Event must have no labels, annotations, owner references and finalizers",
    },
  ],
};
