// Environment accounts with the rights that Landscaper gives them. No service runs: the API server alone decides.
import {
  agentAccountName,
  deployerAccountName,
  deployerLeaseRules,
  deployerRules,
  kubeResources,
} from "@landscaper/api";
import { createClient, type Client } from "@landscaper/controller-runtime";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { deleteClusterRoles, grantRules } from "./account-grants.ts";
import { createAgentAccount } from "./environment-objects.ts";

export interface BoundedAccounts {
  /** Client of `environment.ENVIRONMENT.REGISTRATION`, with rights in all namespaces. */
  readonly deployer: Client;
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

/** Creates the accounts of one Environment. Their cluster-wide roles have the names of the accounts. */
export async function createBoundedAccounts(options: AccountOptions): Promise<BoundedAccounts> {
  const { cluster, namespace, environment, registration } = options;
  const name = deployerAccountName(environment, registration);
  const account = { namespace, name };
  await cluster.client.create(kubeResources.serviceAccount, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: account,
  });
  await grantRules(cluster.client, { account, place: {}, rules: deployerRules });
  await grantRules(cluster.client, { account, place: { namespace }, rules: deployerLeaseRules });
  const connect = (token: string): Client =>
    createClient({ connection: { server: cluster.url, ca: cluster.ca, token }, userAgent: "intruder" });
  const deployer = connect(await requestToken(cluster.client, account));
  const agent = connect(await createAgentAccount(cluster.client, namespace, environment));
  return {
    deployer,
    agent,
    close: async () => {
      await Promise.all([deployer.close(), agent.close()]);
      for (const owner of [name, agentAccountName(environment)]) await deleteClusterRoles(cluster.client, owner);
    },
  };
}
