// Environments and DeployerRegistrations, with the core under the rules of its chart. What stands for a deployer is a Secret with what it would be
// started with; docs/reference/deployer-management.md says what is expected.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  agentNames,
  deployerAccountName,
  deployerManagementFinalizer,
  deployerRoleName,
  kubeResources,
  labels,
  resources,
  type DeployerRegistration,
  type Environment as ManagedEnvironment,
  type KubeObject,
  type PolicyRule,
  type ResourceType,
  type RoleBinding,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, isForbidden, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { blueprintYaml, clusterImport } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
/** Both kinds are there once in a cluster. */
const suffix = randomBytes(4).toString("hex");
const namespace = `deployers-${suffix}`;

const template = `
deployItems:
  - name: deployer
    type: landscaper.gardener.cloud/kubernetes-manifest
    target: { import: cluster }
    config:
      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
      kind: ProviderConfiguration
      manifests:
        - manifest:
            apiVersion: v1
            kind: Secret
            metadata: { name: {{ .imports.releaseName }}, namespace: {{ .imports.releaseNamespace }} }
            stringData:
              kubeconfig: {{ toJson .imports.landscaperCluster.spec.config.kubeconfig }}
              identity: {{ .imports.identity }}
              targetSelectors: {{ toJson .imports.targetSelectors | toJson }}
`;

function registration(name: string): DeployerRegistration {
  const data = ["releaseName", "releaseNamespace", "identity", "targetSelectors"];
  const imports = [
    clusterImport,
    { ...clusterImport, name: "landscaperCluster" },
    ...data.map((value) => ({ name: value, type: "data", schema: {} })),
  ];
  const deployExecutions = [{ name: "default", type: "GoTemplate", template }];
  const filesystem = { "blueprint.yaml": blueprintYaml({ imports, deployExecutions }) };
  return {
    apiVersion,
    kind: "DeployerRegistration",
    metadata: { name },
    spec: { types: [`example.org/${name}`], installationTemplate: { blueprint: { inline: { filesystem } } } },
  };
}

describe.each(clustersUnderTest())("deployer management on %s", (cluster) => {
  let environment: Environment;
  let client: Client;
  /** Its target namespace is where deployers go. */
  let scope: TestNamespace;
  const name = `env-${suffix}`;
  const mock = `mock-${suffix}`;
  const pair = `${mock}-${name}`;
  const pairKey = { namespace, name: pair };

  beforeAll(async () => {
    const deployerManagement = { namespace, leaseNamespace: namespace };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer"],
      configs: { "landscaper-core": { deployerManagement } },
    });
    ({ client } = environment);
    scope = await environment.namespace("host");
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
  });
  afterAll(async () => {
    await client.delete(kubeResources.namespace, { name: namespace });
    await environment.stop();
  });

  function managed(): ManagedEnvironment {
    const { url, ca } = environment.hub;
    return {
      apiVersion,
      kind: "Environment",
      metadata: { name },
      spec: {
        hostTarget: {
          type: "landscaper.gardener.cloud/kubernetes-cluster",
          config: { kubeconfig: environment.targetKubeconfig },
        },
        namespace: scope.targetNamespace,
        landscaperClusterConfig: { host: url, apiPath: "", caData: Buffer.from(ca ?? "").toString("base64") },
        targetSelectors: [{ targets: [{ name }] }],
        namespaces: ["*"],
      },
    };
  }

  async function until<T extends KubeObject>(
    type: ResourceType<T>,
    key: { readonly name: string; readonly namespace?: string },
    condition: (object: T | undefined) => boolean,
  ): Promise<T | undefined> {
    let last: T | undefined;
    await waitFor(
      async () => {
        last = await client.find(type, key);
        return condition(last);
      },
      {
        describe: () => Promise.resolve(`${JSON.stringify(last, undefined, 1)}\n${environment.describeLogs()}`),
      },
    );
    return last;
  }

  /** Waits until so many of so many deployers have succeeded, such as "1/1". */
  const untilSucceeded = (count: string) =>
    until(resources.environment, { name }, ({ status } = {} as never) => status?.succeeded === count);
  const untilGone = (type: ResourceType, key: { readonly name: string; readonly namespace?: string }) =>
    until(type, key, (object) => object === undefined);

  it("installs a registered deployer, whose account has the rights of deployers and no others", async () => {
    await client.create(resources.environment, managed());
    await client.create(resources.deployerRegistration, registration(mock));
    await untilSucceeded("1/1");
    const made = await scope.findOnTarget(kubeResources.secret, pair);
    const textOf = (key: string): string => Buffer.from(made?.data?.[key] ?? "", "base64").toString();
    expect([textOf("identity"), JSON.parse(textOf("targetSelectors"))]).toEqual([pair, [{ targets: [{ name }] }]]);
    const deployer = createClient({
      connection: connectionFromKubeconfig(textOf("kubeconfig")),
      userAgent: "deployer",
    });
    const { items } = await deployer.list(resources.deployItem, { namespace });
    const isRefused = await deployer.list(resources.installation, { namespace }).then(() => false, isForbidden);
    await deployer.close();
    expect([items.length, isRefused]).toEqual([1, true]);
    const counted = await until(
      resources.deployerRegistration,
      { name: mock },
      (object) => object?.status?.environments?.succeeded === 1,
    );
    expect(counted?.metadata.finalizers).toEqual([deployerManagementFinalizer]);
  });

  it("puts right what somebody has changed in bindings and roles", async () => {
    const { clusterRole, clusterRoleBinding, roleBinding } = kubeResources;
    const role = { name: deployerRoleName };
    const rules: PolicyRule[] | undefined = (await client.get(clusterRole, role)).rules;
    await client.patch(clusterRole, role, { type: "merge", body: { rules: [] } });
    await until(clusterRole, role, (object) => JSON.stringify(object?.rules) === JSON.stringify(rules));
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "somebody" }];
    const isRight = (object: RoleBinding | undefined) =>
      object?.subjects?.[0]?.name === deployerAccountName(name, mock);
    await client.patch(clusterRoleBinding, { name: pair }, { type: "merge", body: { subjects } });
    await until(clusterRoleBinding, { name: pair }, isRight);
    await client.patch(roleBinding, pairKey, { type: "merge", body: { subjects } });
    await until(roleBinding, pairKey, isRight);
  });

  it("leaves alone what has the name of a deployer", async () => {
    const taken = `taken-${suffix}`;
    const key = { namespace, name: `${taken}-${name}` };
    const accountKey = { namespace, name: deployerAccountName(name, taken) };
    const { serviceAccount, clusterRoleBinding, roleBinding } = kubeResources;
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    const binding = { apiVersion: "rbac.authorization.k8s.io/v1", roleRef, subjects: [] };
    await client.create(serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: accountKey });
    await client.create(clusterRoleBinding, { ...binding, kind: "ClusterRoleBinding", metadata: { name: key.name } });
    await client.create(roleBinding, { ...binding, kind: "RoleBinding", metadata: key });
    await client.create(resources.deployerRegistration, registration(taken));
    const untilTold = (kind: string, own = key.name) =>
      until(
        resources.environment,
        { name },
        (object) => object?.status?.lastError?.message.startsWith(`${kind} ${own}`) === true,
      );
    const told = await untilTold("ServiceAccount", accountKey.name);
    expect(told?.status?.lastError?.reason).toBe("DeployerConflict");
    await client.delete(serviceAccount, accountKey);
    await untilTold("ClusterRoleBinding");
    await client.delete(clusterRoleBinding, { name: key.name });
    await untilTold("RoleBinding");
    await client.delete(roleBinding, key);
    await untilSucceeded("2/2");
  });

  it("leaves a Role alone that has the name of the Role with the Secrets of an agent, and creates its own afterwards", async () => {
    const { role, roleBinding } = kubeResources;
    const key = { namespace, name: agentNames(name).secretsRole };
    const isKept = (object: KubeObject | undefined) => object?.metadata.labels?.[labels.deployerEnvironment] === name;
    await until(role, key, isKept);
    await until(roleBinding, key, isKept);
    await client.patch(role, key, { type: "merge", body: { metadata: { labels: null } } });
    await until(
      resources.environment,
      { name },
      (object) => object?.status?.lastError?.message.startsWith(`Role ${key.name}`) === true,
    );
    await client.delete(role, key);
    await until(role, key, isKept);
    await untilSucceeded("2/2");
  });

  it("removes what a registration and an Environment have left that went without finalizers while the core was away", async () => {
    const taken = `taken-${suffix}`;
    const core = environment.service("landscaper-core");
    await core.stop();
    const strip = async (type: ResourceType, key: { readonly name: string }) => {
      await client.delete(type, key);
      await client.patch(type, key, { type: "merge", body: { metadata: { finalizers: [] } } });
      await untilGone(type, key);
    };
    await strip(resources.deployerRegistration, { name: taken });
    await strip(resources.environment, { name });
    await core.start();
    await untilGone(kubeResources.clusterRoleBinding, { name: `${taken}-${name}` });
    await untilGone(kubeResources.serviceAccount, { namespace, name: deployerAccountName(name, taken) });
    await untilGone(resources.installation, pairKey);
    await untilGone(resources.target, { namespace, name });
    const { secretsRole } = agentNames(name);
    await untilGone(kubeResources.role, { namespace, name: secretsRole });
    await untilGone(kubeResources.roleBinding, { namespace, name: secretsRole });
    expect(await scope.findOnTarget(kubeResources.secret, pair)).toBeUndefined();
  });

  it("removes a deployer with its registration, and an Environment when its deployers are gone", async () => {
    await client.create(resources.environment, managed());
    await untilSucceeded("1/1");
    await client.delete(resources.deployerRegistration, { name: mock });
    await untilGone(resources.deployerRegistration, { name: mock });
    await untilGone(kubeResources.clusterRoleBinding, { name: pair });
    await untilGone(kubeResources.serviceAccount, pairKey);
    await untilGone(resources.target, pairKey);
    expect(await scope.findOnTarget(kubeResources.secret, pair)).toBeUndefined();
    await client.delete(resources.environment, { name });
    await untilGone(resources.environment, { name });
    await untilGone(resources.target, { namespace, name });
  });

  it("forgets an Environment whose host is away", async () => {
    const lost = `lost-${suffix}`;
    const key = { name: lost };
    const away = environment.targetKubeconfig.replaceAll(/server: \S+/g, "server: https://127.0.0.1:1");
    const { spec } = managed();
    const hostTarget = { ...spec.hostTarget, config: { kubeconfig: away } };
    await client.create(resources.environment, {
      ...managed(),
      metadata: { name: lost, finalizers: [agentFinalizer] },
      spec: { ...spec, hostTarget },
    });
    await client.create(resources.deployerRegistration, registration(lost));
    const isPicked = (object: ManagedEnvironment | undefined) => object?.status?.deployers?.length === 1;
    await until(resources.environment, key, isPicked);
    const command = join(import.meta.dirname, "../../bin/landscaper");
    const folder = mkdtempSync(join(tmpdir(), "forget-"));
    const file = join(folder, "kubeconfig");
    writeFileSync(file, environment.hub.kubeconfig);
    const args = ["environments", "forget", lost, "--yes", "--kubeconfig", file];
    const { stdout } = await promisify(execFile)(command, args).finally(() => rmSync(folder, { recursive: true }));
    expect(stdout).toContain(`the deployer ${lost}-${lost} in namespace ${scope.targetNamespace}`);
    await untilGone(resources.environment, key);
    await untilGone(resources.installation, { namespace, name: `${lost}-${lost}` });
    await client.delete(resources.deployerRegistration, key);
    await untilGone(resources.deployerRegistration, key);
  });
});
