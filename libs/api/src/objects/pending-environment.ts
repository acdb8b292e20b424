import { environmentKind, type Environment } from "../kinds/environment.ts";
import { annotations } from "./annotations.ts";
import { apiVersion, kubernetesClusterTargetType } from "./api-group.ts";
import { ownTargetSelectors } from "./own-target-selectors.ts";

export interface PendingEnvironment {
  readonly name: string;
  /** Namespaces of the landscaper cluster for its deployers; `["*"]`: all. */
  readonly namespaces: readonly string[];
  /** URL of the API server of the landscaper cluster. */
  readonly server: string;
}

/**
 * Returns the Environment that an administrator creates for an agent, with the fields that the agent must not choose: namespaces and selectors. The agent
 * adds the access to its host (docs/reference/deployer-management.md#agent).
 */
export function buildPendingEnvironment({ name, namespaces, server }: PendingEnvironment): Environment {
  return {
    apiVersion,
    kind: environmentKind.type.kind,
    metadata: { name },
    spec: {
      hostTarget: { type: kubernetesClusterTargetType, annotations: { [annotations.environment]: name } },
      // The agent writes the namespace of its host, and the rest of the connection.
      namespace: "ls-system",
      landscaperClusterConfig: { host: server, apiPath: "" },
      targetSelectors: [...ownTargetSelectors(name)],
      namespaces: [...namespaces],
    },
  };
}

/** Whether the access to the host is missing, which an agent writes. Nothing can be installed until then. */
export function awaitsAgent({ spec }: Environment): boolean {
  const { type, config, secretRef } = spec.hostTarget;
  return type === kubernetesClusterTargetType && config === undefined && secretRef === undefined;
}
