import { agentNames } from "../../objects/agent-names.ts";
import { annotations } from "../../objects/annotations.ts";
import { agentFinalizer, kubernetesClusterTargetType } from "../../objects/api-group.ts";
import { listOf, mapOf } from "./environment-account.ts";
import type { EnvironmentBound } from "./environment-bound.ts";

const oldMap = (field: "labels" | "annotations"): string => `(oldObject == null ? {} : ${mapOf("oldObject", field)})`;

const accessSecret = agentNames("").accessSecret;
const hostTarget = "object.spec.hostTarget";
/** Dynamic: the schema does not describe the fields of the configuration. */
const config = `dyn(${hostTarget}).config`;
/** CEL: the Target that the core creates from `spec.hostTarget` belongs to the Environment, and its kubeconfig is in the access Secret on the host. */
const isOwnTarget = [
  `${hostTarget}.type == '${kubernetesClusterTargetType}'`,
  `${hostTarget}.?labels.orValue({}).size() == 0`,
  `${hostTarget}.?annotations.orValue({}) == {'${annotations.environment}': variables.environment}`,
  `!has(${hostTarget}.secretRef) && has(${hostTarget}.config) && ${config}.all(k, k == 'kubeconfig')`,
  `${config}.?kubeconfig.?secretRef.?name.orValue('') == variables.environment + '${accessSecret}'`,
  `${config}.kubeconfig.all(k, k == 'secretRef')`,
].join(" && ");

const suspended = (object: string): string => `${object}.spec.?suspend.orValue(false)`;

/** Rules for the fields of an Environment that agents write, except its namespaces and selectors (docs/reference/deployer-management.md#bounds). */
export const environmentObjectRules: EnvironmentBound["rules"] = [
  {
    expression: `object == null || ${[
      `${mapOf("object", "labels")} == ${oldMap("labels")}`,
      `${mapOf("object", "annotations")} == ${oldMap("annotations")}`,
      `${listOf("object", "ownerReferences")} == (oldObject == null ? [] : ${listOf("oldObject", "ownerReferences")})`,
    ].join(" && ")}`,
    message: "agents must not set or change labels, annotations or owner references of their Environment",
  },
  {
    expression: `object == null || ${suspended("object")} == (oldObject == null ? false : ${suspended("oldObject")})`,
    message: "agents must not change spec.suspend of their Environment",
  },
  {
    expression: `object == null || ${isOwnTarget}`,
    message: `spec.hostTarget must have the type ${kubernetesClusterTargetType}, no labels, the annotation ${annotations.environment} with the name of the Environment, and a kubeconfig in Secret ENVIRONMENT${accessSecret}`,
  },
  {
    expression: "object == null || object.spec.namespace.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    message: "spec.namespace must be the name of a namespace",
  },
  {
    expression: `object == null || ${listOf("object", "finalizers")}.all(f, f == '${agentFinalizer}' || oldObject != null && f in ${listOf("oldObject", "finalizers")})`,
    message: `agents must not add finalizers other than ${agentFinalizer} to their Environment`,
  },
  {
    expression: `object == null || oldObject == null || ${listOf("oldObject", "finalizers")}.all(f, f == '${agentFinalizer}' || f in ${listOf("object", "finalizers")})`,
    message: `agents must not remove finalizers other than ${agentFinalizer} from their Environment`,
  },
];
