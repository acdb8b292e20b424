// Objects around Environments that nobody deploys to: what their accounts may write is all that matters.
import {
  agentAccountName,
  agentDeployerRights,
  agentEnvironmentRights,
  agentNames,
  agentSecretRules,
  annotations,
  environmentCreationRights,
  everyNamespace,
  kubeResources,
  leaseHolderAnnotation,
  leaseRights,
  policyRulesOf,
  resources,
  type DeployerRegistration,
  type DeployItem,
  type Environment,
  type Lease,
  type Secret,
  type Target,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { blueprintYaml } from "../src/installations/inline-installation.ts";
import { rbacGroup } from "../src/clusters/rbac-type.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { grantRules } from "./account-grants.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const clusterType = "landscaper.gardener.cloud/kubernetes-cluster";

/** The annotation that names Environments. */
export function mark(environment: string): Record<string, string> {
  return { [annotations.environments]: environment };
}

export function deployItem(namespace: string, name: string, target: string): DeployItem {
  const spec = { type: "example.org/none", target: { namespace, name: target } };
  return { apiVersion, kind: "DeployItem", metadata: { namespace, name }, spec };
}

/** A Target, of an Environment by its annotation if one is named. */
export function annotatedTarget(namespace: string, name: string, environment: string | undefined): Target {
  const marks = environment === undefined ? {} : { annotations: { [annotations.environment]: environment } };
  return { apiVersion, kind: "Target", metadata: { namespace, name, ...marks }, spec: { type: clusterType } };
}

export function markedSecret(namespace: string, name: string, environment: string | undefined): Secret {
  const marks = environment === undefined ? {} : { annotations: mark(environment) };
  return { apiVersion: "v1", kind: "Secret", type: "Opaque", metadata: { namespace, name, ...marks } };
}

/** Deletes an Environment, abandons the DeployItems that a test has left, and waits until the Environment no longer exists. */
export async function removeEnvironment(client: Client, name: string): Promise<void> {
  const body = { metadata: { annotations: { [annotations.abandonItems]: name } } };
  await client.patch(resources.environment, { name }, { type: "merge", body });
  await client.delete(resources.environment, { name });
  await waitFor(async () => (await client.find(resources.environment, { name })) === undefined);
}

/** Returns the Secret with a DeployItem as its owner. */
export function ownedSecret(secret: Secret, item: { readonly name: string; readonly uid: string }): Secret {
  const ownerReferences = [{ apiVersion, kind: "DeployItem", ...item }];
  return { ...secret, metadata: { ...secret.metadata, ownerReferences } };
}

/** The Lease of a process with this identity. */
export function heldLease(namespace: string, name: string, identity: string): Lease {
  const holderIdentity = `${identity}/pod`;
  const metadata = { namespace, name, annotations: { [leaseHolderAnnotation]: holderIdentity } };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec: { holderIdentity } };
}

/** An Environment as its agent writes it: with the Target of its host and a selector for that Target. By default it has all namespaces and no key for sealed tokens. */
export function hostedEnvironment(
  name: string,
  { url, ca = "" }: Pick<TestCluster, "url" | "ca">,
  { sealingKey, namespaces = [everyNamespace] }: Pick<Environment["spec"], "sealingKey" | "namespaces"> = {},
): Environment {
  const secretRef = { name: agentNames(name).accessSecret, namespace: "host", key: "kubeconfig" };
  return {
    apiVersion,
    kind: "Environment",
    metadata: { name },
    spec: {
      hostTarget: {
        type: clusterType,
        annotations: { [annotations.environment]: name },
        config: { kubeconfig: { secretRef } },
      },
      namespace: "host",
      landscaperClusterConfig: { host: url, apiPath: "", caData: Buffer.from(ca).toString("base64") },
      targetSelectors: [{ targets: [{ name, namespace: "" }] }],
      ...(sealingKey === undefined ? {} : { sealingKey }),
      namespaces,
    },
  };
}

/** A deployer without DeployItems: it has succeeded when its account and its Target are there. */
export function emptyRegistration(name: string): DeployerRegistration {
  const data = ["releaseName", "releaseNamespace", "identity", "targetSelectors"];
  const imports = [
    ...["cluster", "landscaperCluster"].map((target) => ({ name: target, type: "target", targetType: clusterType })),
    ...data.map((value) => ({ name: value, type: "data", schema: {} })),
  ];
  const filesystem = { "blueprint.yaml": blueprintYaml({ imports, deployExecutions: [] }) };
  const spec = { types: [`example.org/${name}`], installationTemplate: { blueprint: { inline: { filesystem } } } };
  return { apiVersion, kind: "DeployerRegistration", metadata: { name }, spec };
}

/** As it stands in the Target of a deployer. */
export async function deployerKubeconfig(client: Client, namespace: string, name: string): Promise<string> {
  const { spec } = await client.get(resources.target, { namespace, name });
  const kubeconfig: unknown = Reflect.get(Object(spec.config), "kubeconfig");
  return typeof kubeconfig === "string" ? kubeconfig : JSON.stringify(kubeconfig);
}

/** Lists Secrets for the account of an agent as the core does. */
export async function listAgentSecrets(client: Client, { namespace, environment, names }: AgentSecrets): Promise<void> {
  const { secretsRole: name } = agentNames(environment);
  const base = { apiVersion: `${rbacGroup}/v1`, metadata: { namespace, name } };
  await client.create(kubeResources.role, { ...base, kind: "Role", rules: [...agentSecretRules(names)] });
  await client.create(kubeResources.roleBinding, {
    ...base,
    kind: "RoleBinding",
    roleRef: { apiGroup: rbacGroup, kind: "Role", name },
    subjects: [{ kind: "ServiceAccount", name: agentAccountName(environment), namespace }],
  });
}

interface AgentSecrets {
  readonly namespace: string;
  readonly environment: string;
  readonly names: readonly string[];
}

/**
 * Creates the account of an agent with the rights that `landscaper agent bootstrap` gives it, and with the right to create Environments, which it gave in
 * earlier releases. Returns a token.
 */
export async function createAgentAccount(client: Client, namespace: string, environment: string): Promise<string> {
  const name = agentAccountName(environment);
  const account = { namespace, name };
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  const ofEnvironments = [...environmentCreationRights, ...agentEnvironmentRights(environment)];
  await grantRules(client, { account, place: {}, rules: policyRulesOf(ofEnvironments) });
  const rules = policyRulesOf([...agentDeployerRights, ...leaseRights]);
  await grantRules(client, { account, place: { namespace }, rules });
  return await requestToken(client, account);
}
