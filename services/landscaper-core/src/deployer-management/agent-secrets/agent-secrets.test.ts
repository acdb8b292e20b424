// The Role by which the core lists the Secrets of an agent, with the core under the rights that it asks for and no others.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  apiVersion,
  defaultContextName,
  kubeResources,
  labels,
  resources,
  type DeployItem,
  type Environment,
  type Role,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import { grantCoreRights } from "../../../test/core-rights.ts";
import { startTestCore, type TestCore } from "../../../test/core.ts";
import { environment, managementSettings, registration } from "../../../test/deployer-management.ts";

const roleName = (name: string): string => `landscaper:agent:secrets:${name}`;

let cluster: EmbeddedCluster;
let core: TestCore;
let client: Client;
let deployer: TestDeployer;
let namespace: TestNamespace;
/** Requests of the core for Roles and RoleBindings. */
let requests: string[];

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true, authorization: "rbac" });
  namespace = await cluster.createNamespace("ls-system");
  requests = [];
  cluster.server.setFault(({ verb, resource, name, userAgent }) => {
    if (userAgent === "core" && ["roles", "rolebindings"].includes(resource)) requests.push(`${verb} ${name}`);
    return undefined;
  });
  client = createClient({ connection: connectionFromKubeconfig(await grantCoreRights(cluster)), userAgent: "core" });
  core = startTestCore(client, { deployerManagement: managementSettings });
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core.stop(), deployer.stop()]);
  await client.close();
  await cluster.stop();
});

const findRole = (name: string): Promise<Role | undefined> => namespace.find(kubeResources.role, roleName(name));

async function untilListed(name: string, names: readonly string[]): Promise<void> {
  const expected = names.toSorted();
  let role: Role | undefined;
  await waitFor(
    async () => {
      role = await findRole(name);
      const listed = role?.rules?.flatMap(({ resourceNames }) => resourceNames ?? ["all"]) ?? [];
      return role !== undefined && JSON.stringify(listed) === JSON.stringify(expected);
    },
    { describe: () => Promise.resolve(JSON.stringify(role) ?? "no Role") },
  );
}

/** Waits until a pass has seen the generation of the Environment. */
async function untilSeen(name: string): Promise<Environment> {
  return await waitFor(async () => {
    const found = await cluster.client.get(resources.environment, { name });
    return found.status?.observedGeneration === found.metadata.generation ? found : undefined;
  });
}

/** Requests for the Role and its binding while a pass sees a change of the Environment that does not concern them. */
async function listRequestsOfPass(name: string): Promise<readonly string[]> {
  await untilSeen(name);
  requests.length = 0;
  const body = { spec: { namespaces: ["team", "other"] } };
  await cluster.client.patch(resources.environment, { name }, { type: "merge", body });
  await untilSeen(name);
  return requests.filter((request) => request.endsWith(roleName(name)));
}

function helmItem(name: string, target: string, config: object = {}): DeployItem {
  const type = "landscaper.gardener.cloud/helm";
  const version = { apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: { name },
    spec: { type, context: "own", target: { name: target, namespace: "ls-system" }, config: { ...version, ...config } },
  };
}

const secretsOf = (...items: readonly string[]): readonly string[] =>
  items.flatMap((name) => [`${name}-export`, `${name}-plan`]);

describe("the Role with the Secrets of an agent", () => {
  beforeAll(async () => {
    await namespace.until(resources.context, defaultContextName, (context) => context !== undefined);
    const registryPullSecrets = [{ name: "pull" }];
    const body = { registryPullSecrets };
    await namespace.client.patch(
      resources.context,
      { namespace: "ls-system", name: defaultContextName },
      { type: "merge", body },
    );
    await cluster.client.create(resources.environment, environment("edge", { namespaces: ["team"] }));
    await cluster.client.create(resources.deployerRegistration, registration("mock"));
  });

  it("lists the pull secrets of the Context of the deployers, for the account of the agent", async () => {
    await untilListed("edge", ["pull"]);
    const binding = await namespace.get(kubeResources.roleBinding, roleName("edge"));
    expect(binding.roleRef).toEqual({ apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: roleName("edge") });
    expect(binding.subjects).toEqual([
      { kind: "ServiceAccount", name: "landscaper-agent-edge", namespace: "ls-system" },
    ]);
  });

  it("follows the items for the host, their Contexts, and the Targets that they name", async () => {
    await namespace.until(resources.target, "edge", (target) => target !== undefined);
    const config = {
      valuesFrom: [{ kind: "Secret", name: "values" }],
      exports: { exports: [{ key: "a", jsonPath: ".a", targetName: "second" }] },
    };
    await namespace.create(resources.deployItem, helmItem("web", "edge", config));
    await untilListed("edge", ["pull", "values", ...secretsOf("web")]);
    await namespace.create(resources.context, {
      apiVersion,
      kind: "Context",
      metadata: { name: "own" },
      registryPullSecrets: [{ name: "own-pull" }],
    });
    await untilListed("edge", ["pull", "own-pull", "values", ...secretsOf("web")]);
    await namespace.create(resources.target, {
      apiVersion,
      kind: "Target",
      metadata: { name: "second" },
      spec: { type: "t", secretRef: { name: "second-kubeconfig" } },
    });
    await untilListed("edge", ["pull", "own-pull", "second-kubeconfig", "values", ...secretsOf("web")]);
    const second = await namespace.get(resources.target, "second");
    await cluster.client.update(resources.target, { ...second, spec: { type: "t", secretRef: { name: "renamed" } } });
    await untilListed("edge", ["pull", "own-pull", "renamed", "values", ...secretsOf("web")]);
    await namespace.delete(resources.deployItem, "web");
    await untilListed("edge", ["pull"]);
  });

  it("is not written again while the list stays the same", async () => {
    await untilListed("edge", ["pull"]);
    expect(await listRequestsOfPass("edge")).toEqual([]);
  });

  it("is restored when another client changes or deletes it", async () => {
    await cluster.client.patch(
      kubeResources.role,
      { namespace: "ls-system", name: roleName("edge") },
      { type: "merge", body: { rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }] } },
    );
    await untilListed("edge", ["pull"]);
    await namespace.delete(kubeResources.role, roleName("edge"));
    await untilListed("edge", ["pull"]);
  });

  it("names nothing that the agent writes into spec.hostTarget, and no Secret of another Environment's items", async () => {
    const { hostTarget } = environment("greedy").spec;
    const { config: _, ...rest } = hostTarget;
    const greedy = environment("greedy", {
      namespaces: ["team"],
      hostTarget: { ...rest, secretRef: { name: "foreign-kubeconfig" } },
    });
    await cluster.client.create(resources.environment, greedy);
    await namespace.until(
      resources.target,
      "greedy",
      (target) => target?.spec.secretRef?.name === "foreign-kubeconfig",
    );
    // Neither as the Target of an item nor as one that an item names.
    const config = { exports: { exports: [{ key: "a", jsonPath: ".a", targetName: "greedy" }] } };
    await namespace.create(resources.deployItem, helmItem("of-greedy", "greedy", config));
    await namespace.create(resources.deployItem, helmItem("of-edge", "edge"));
    await untilListed("greedy", ["pull", "own-pull", ...secretsOf("of-greedy")]);
    await untilListed("edge", ["pull", "own-pull", ...secretsOf("of-edge")]);
    for (const name of ["of-greedy", "of-edge"]) await namespace.delete(resources.deployItem, name);
  });

  it("names nothing of items for a Target of the same name that the Environment does not own", async () => {
    await namespace.create(resources.target, {
      apiVersion,
      kind: "Target",
      metadata: { name: "namesake" },
      spec: { type: "t", secretRef: { name: "namesake-kubeconfig" } },
    });
    await namespace.create(resources.deployItem, helmItem("of-namesake", "namesake"));
    await cluster.client.create(resources.environment, environment("namesake", { namespaces: ["team"] }));
    await waitFor(
      async () =>
        (await cluster.client.get(resources.environment, { name: "namesake" })).status?.lastError?.reason ===
        "DeployerConflict",
    );
    await untilListed("namesake", []);
    // An API server leaves an empty list of rules out.
    expect(await listRequestsOfPass("namesake")).toEqual([]);
    await namespace.delete(resources.deployItem, "of-namesake");
  });

  it("is left alone if another client has created it, and the status names it", async () => {
    const metadata = { namespace: "ls-system", name: roleName("taken") };
    await cluster.client.create(kubeResources.role, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata,
      rules: [],
    });
    await cluster.client.create(resources.environment, environment("taken", { namespaces: ["team"] }));
    const found = await waitFor(async () => {
      const { status } = await cluster.client.get(resources.environment, { name: "taken" });
      return status?.lastError;
    });
    expect(found.message).toContain(`Role ${roleName("taken")} in namespace ls-system exists already`);
    expect((await findRole("taken"))?.metadata.labels).toBeUndefined();
  });

  it("takes the place of a Role of an earlier release, of which the Environment warns until then", async () => {
    const key = { namespace: "ls-system", name: "landscaper-agent-edge" };
    await cluster.client.create(kubeResources.role, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { ...key, labels: { [labels.deployerEnvironment]: "edge" } },
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "create", "update", "delete"] }],
    });
    const hasWarning = async (): Promise<boolean> =>
      (await cluster.client.get(resources.environment, { name: "edge" })).status?.conditions?.some(
        ({ type }) => type === "ReadsAllSecrets",
      ) === true;
    await waitFor(hasWarning);
    const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["create", "update", "delete"] }];
    await cluster.client.patch(kubeResources.role, key, { type: "merge", body: { rules } });
    await waitFor(async () => !(await hasWarning()));
  });

  it("is deleted with the Environment, and its binding, too", async () => {
    await cluster.client.delete(resources.environment, { name: "edge" });
    const lingering = await waitFor(async () => {
      const found = await cluster.client.get(resources.environment, { name: "edge" });
      return found.metadata.finalizers?.join() === agentFinalizer ? found : undefined;
    });
    expect(lingering.metadata.finalizers).toEqual([agentFinalizer]);
    expect(await findRole("edge")).toBeUndefined();
    expect(await namespace.find(kubeResources.roleBinding, roleName("edge"))).toBeUndefined();
    // The Role of `landscaper agent bootstrap` belongs to its operator.
    expect(await namespace.find(kubeResources.role, "landscaper-agent-edge")).toBeDefined();
  });

  it("names nothing that an agent puts into the imports of a deployer, such as text that could continue the template", async () => {
    const text = 'x"}]}\n      valuesFrom: [{kind: Secret, name: stolen}]\n      #';
    const targetSelectors = [{ targets: [{ name: text, namespace: "" }] }];
    const deploy = `
deployItems:
  - name: deployer
    type: landscaper.gardener.cloud/helm
    target: { import: cluster }
    config:
      apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      name: {{ .imports.releaseName | toJson }}
      values: { selectors: {{ .imports.targetSelectors | toJson }} }
`;
    await cluster.client.create(
      resources.environment,
      environment("inventive", { namespaces: ["team"], targetSelectors }),
    );
    await cluster.client.create(resources.deployerRegistration, registration("helm", { deploy }));
    const item = await waitFor(async () => {
      const { items } = await cluster.client.list(resources.deployItem, { namespace: "ls-system" });
      return items.find(({ spec: { type, target } }) => type.endsWith("/helm") && target?.name === "inventive");
    });
    expect(Reflect.get(Object(item.spec.config), "values")).toEqual({ selectors: targetSelectors });
    await untilListed("inventive", ["pull", ...secretsOf(item.metadata.name ?? "")]);
  });
});
