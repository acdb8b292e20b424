import { formatKey, kubeResources, LandscaperError, type ObjectKey, type ResourceType } from "@landscaper/api";
import { isForbidden, type Client } from "@landscaper/controller-runtime";

/** The Role of the landscaper cluster by which the core lists the Secrets that a deployer may read. */
export type SecretsRole = Required<Pick<ObjectKey, "namespace" | "name">>;

/** Returns the client with refused reads of Secrets as LandscaperErrors, which name the Secret and the Role that has to list it. */
export function explainSecretRefusals(client: Client, role: SecretsRole): Client {
  const explaining = async <R>(type: ResourceType, key: ObjectKey, reading: Promise<R>): Promise<R> => {
    try {
      return await reading;
    } catch (error) {
      throw type.kind === kubeResources.secret.kind && isForbidden(error) ? refusedError(key, role) : error;
    }
  };
  return {
    ...client,
    get: async (type, key, options) => await explaining(type, key, client.get(type, key, options)),
    find: async (type, key, options) => await explaining(type, key, client.find(type, key, options)),
  };
}

/** Not final: the core lists a Secret soon after an object has named it. */
function refusedError(key: ObjectKey, role: SecretsRole): LandscaperError {
  return new LandscaperError({
    message: `Secret ${formatKey(key)} cannot be read: the API server refuses it to this agent`,
    reason: "AgentSecretRefused",
    hint: `the core lists the Secrets that this agent may read in Role ${formatKey(role)}. If the Role does not list this Secret, check that the core is not of an earlier release than the agent, and that the DeployItem, its Context or its Target names the Secret. If the Role lists it, bind the account of the agent to the Role`,
  });
}
