// Accounts of Environments with the rights that the product gives them. No service runs: the API server alone decides.
import {
  agentAccountName,
  deployerAccountName,
  deployerLeaseRules,
  deployerRules,
  kubeResources,
  type KubeObject,
  type PolicyRule,
} from "@landscaper/api";
import { createClient, type Client } from "@landscaper/controller-runtime";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { createAgentAccount } from "./environment-objects.ts";

export interface BoundedAccounts {
  /** `environment.ENVIRONMENT.REGISTRATION`, with its rights in all namespaces. */
  readonly deployer: Client;
  /** `landscaper-agent-ENVIRONMENT`. */
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
  await grant(cluster.client, { account, place: {}, rules: deployerRules });
  await grant(cluster.client, { account, place: { namespace }, rules: deployerLeaseRules });
  const connect = (token: string): Client =>
    createClient({ connection: { server: cluster.url, ca: cluster.ca, token }, userAgent: "intruder" });
  const deployer = connect(await requestToken(cluster.client, account));
  const agent = connect(await createAgentAccount(cluster.client, namespace, environment));
  return {
    deployer,
    agent,
    close: async () => {
      await Promise.all([deployer.close(), agent.close()]);
      for (const owner of [name, agentAccountName(environment)]) {
        for (const kind of ["ClusterRole", "ClusterRoleBinding"] as const) {
          await cluster.client.delete(rbacType(kind), { name: owner });
        }
      }
    },
  };
}

interface Grant {
  readonly account: { readonly namespace: string; readonly name: string };
  /** Empty: in all namespaces. */
  readonly place: { readonly namespace?: string };
  readonly rules: readonly PolicyRule[];
}

async function grant(client: Client, { account, place, rules }: Grant): Promise<void> {
  const prefix = place.namespace === undefined ? "Cluster" : "";
  const base = { apiVersion: `${rbacGroup}/v1`, metadata: { name: account.name, ...place } };
  const role: KubeObject & { rules: unknown } = { ...base, kind: `${prefix}Role`, rules };
  const binding: KubeObject & { roleRef: unknown; subjects: unknown } = {
    ...base,
    kind: `${prefix}RoleBinding`,
    roleRef: { apiGroup: rbacGroup, kind: `${prefix}Role`, name: account.name },
    subjects: [{ kind: "ServiceAccount", ...account }],
  };
  for (const object of [role, binding]) await client.create(rbacType(object.kind), object);
}
