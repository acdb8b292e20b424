// Environment accounts with the rights that Landscaper gives them. No service runs: the API server alone decides.
import {
  agentAccountName,
  deployerAccountName,
  deployerLeaseRules,
  deployerRules,
  kubeResources,
} from "@landscaper/api";
import { createClient, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { deleteClusterRoles, grantRules } from "./account-grants.ts";
import { createAgentAccount } from "./environment-objects.ts";
import { listReach, type Reach } from "./reach.ts";

export interface BoundedAccounts {
  /** Client of `environment.ENVIRONMENT.REGISTRATION`, with rights in all namespaces. */
  readonly deployer: Client;
  /** Client of another deployer of the Environment, `REGISTRATION-limited`, with rights in `limitedNamespace` alone. */
  readonly limited: Client;
  /** Empty namespace. */
  readonly limitedNamespace: string;
  /** Client of `landscaper-agent-ENVIRONMENT`. */
  readonly agent: Client;
  close(): Promise<void>;
}

interface AccountOptions {
  readonly cluster: TestCluster;
  /** Namespace of deployer management and of the Leases; it must exist. */
  readonly namespace: string;
  readonly environment: string;
  readonly registration: string;
}

const isOfItems = ({ type }: Reach): boolean => type.plural === "deployitems";

/** Creates the accounts of one Environment. Their cluster-wide roles have the names of the accounts. */
export async function createBoundedAccounts(options: AccountOptions): Promise<BoundedAccounts> {
  const { cluster, namespace, environment, registration } = options;
  const name = deployerAccountName(environment, registration);
  const connect = (token: string): Client =>
    createClient({ connection: { server: cluster.url, ca: cluster.ca, token }, userAgent: "intruder" });
  const createDeployer = async (account: string, place: { readonly namespace?: string }): Promise<Client> => {
    const metadata = { namespace, name: account };
    const serviceAccount = { apiVersion: "v1", kind: "ServiceAccount", metadata };
    await cluster.client.create(kubeResources.serviceAccount, serviceAccount);
    await grantRules(cluster.client, { account: metadata, place, rules: deployerRules });
    const leases = { place: { namespace }, rules: deployerLeaseRules, role: `${account}.leases` };
    await grantRules(cluster.client, { account: metadata, ...leases });
    return connect(await requestToken(cluster.client, metadata));
  };
  const limitedNamespace = `${namespace}-named`;
  await cluster.client.create(kubeResources.namespace, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: limitedNamespace },
  });
  const deployer = await createDeployer(name, {});
  const limited = await createDeployer(`${name}-limited`, { namespace: limitedNamespace });
  // The authorizer learns of bindings by a watch of its own.
  await waitFor(async () => (await listReach(limited, cluster.client, limitedNamespace)).some(isOfItems));
  const agent = connect(await createAgentAccount(cluster.client, namespace, environment));
  return {
    deployer,
    limited,
    limitedNamespace,
    agent,
    close: async () => {
      await Promise.all([deployer.close(), limited.close(), agent.close()]);
      for (const owner of [name, agentAccountName(environment)]) await deleteClusterRoles(cluster.client, owner);
      await cluster.client.delete(kubeResources.namespace, { name: limitedNamespace });
    },
  };
}
