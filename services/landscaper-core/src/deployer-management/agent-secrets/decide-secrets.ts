import {
  agentAccountName,
  agentNames,
  agentSecretRules,
  labels,
  LandscaperError,
  type Environment,
  type Role,
  type RoleBinding,
} from "@landscaper/api";
import { nameOf } from "../../object-reading.ts";
import type { DeployerManagementSettings } from "../pair.ts";
import { listSecrets, maxListedSecrets } from "./list-secrets.ts";
import type { ObservedSecrets } from "./observe-secrets.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const rbacVersion = `${rbacGroup}/v1`;

export type SecretsDecision =
  | {
      readonly kind: "keep";
      readonly role: Role;
      readonly binding: RoleBinding;
      /** Number of Secrets that do not fit into the Role. */
      readonly omitted: number;
    }
  | { readonly kind: "remove"; readonly role: Role | undefined; readonly binding: RoleBinding | undefined };

export interface SecretsOwner {
  readonly environment: string;
  /** Whether the agent still has work. */
  readonly isNeeded: boolean;
  readonly settings: Pick<DeployerManagementSettings, "namespace">;
}

/** Decides which Role and RoleBinding let the agent of an Environment read Secrets. Pure. */
export function decideSecrets(observed: ObservedSecrets, owner: SecretsOwner): SecretsDecision {
  const { role, binding, sources } = observed;
  if (!owner.isNeeded) return { kind: "remove", role, binding };
  const { environment, settings } = owner;
  const { namespace } = settings;
  const { secretsRole: name } = agentNames(environment);
  const metadata = { name, namespace, labels: { [labels.deployerEnvironment]: environment } };
  const { names, omitted } = listSecrets(sources);
  return {
    kind: "keep",
    role: { apiVersion: rbacVersion, kind: "Role", metadata, rules: [...agentSecretRules(names)] },
    binding: {
      apiVersion: rbacVersion,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbacGroup, kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name: agentAccountName(environment), namespace }],
    },
    omitted,
  };
}

/** Error for the status of an Environment whose Role does not list all Secrets. */
export function omittedSecretsError(environment: Environment, omitted: number): LandscaperError {
  const name = nameOf(environment);
  return new LandscaperError({
    message: `Environment ${name}: its items and their Contexts and Targets name ${maxListedSecrets + omitted} Secrets: Role ${agentNames(name).secretsRole} lists ${maxListedSecrets} of them, the most that it can, and the agent cannot read the others`,
    reason: "AgentSecretsOmitted",
    operation: "ListAgentSecrets",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: `use fewer DeployItems with the Target ${name}`,
    retry: "never",
  });
}
