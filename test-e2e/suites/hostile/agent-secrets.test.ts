// An agent reads the Secrets that the core lists for it, and no others: docs/reference/deployer-management.md#secrets-of-an-agent
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentAccountName,
  agentNames,
  agentSecretRules,
  defaultContextName,
  kubeResources,
  resources,
  type DeployItem,
  type Secret,
} from "@landscaper/api";
import { createClient, resourcePath, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { deleteClusterRoles } from "../../hostile/account-grants.ts";
import { everyOutcome, tryAll, type NamedAttempt } from "../../hostile/attempts.ts";
import { dryRun } from "../../hostile/dry-run-writes.ts";
import {
  createAgentAccount,
  deployItem,
  emptyRegistration,
  hostedEnvironment,
  removeEnvironment,
} from "../../hostile/environment-objects.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";

const suffix = randomBytes(4).toString("hex");
/** The first is in the hands of the attacker. */
const [own, other] = [`edge-${suffix}`, `site-${suffix}`] as const;
const registration = `mock-${suffix}`;
/** Of deployer management; the namespace of the harness is audited for refused requests. */
const namespace = `deployers-${suffix}`;
const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const content = "hunter2";

/** Secrets that the agent of the own Environment must not read. */
const foreign: readonly string[] = [
  "site-kubeconfig",
  "site-values",
  "web-site-export",
  "sh.helm.release.v1.landscaper.v1",
  "greedy-kubeconfig",
];
/** Secrets that its items and their Context name. */
const listed: readonly string[] = ["pull", "edge-values", "web-edge-export", "web-edge-plan"];

describe.each(clustersUnderTest())("the agent of an Environment on %s", (cluster) => {
  let environment: Environment;
  let client: Client;
  let intruder: Client;

  const at = (name: string) => ({ namespace, name });
  const secret = (name: string): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    type: name.startsWith("sh.helm") ? "helm.sh/release.v1" : "Opaque",
    metadata: at(name),
    data: { "values.yaml": Buffer.from(content).toString("base64") },
  });
  const helmItem = (name: string, target: string, config: object): DeployItem => {
    const item = deployItem(namespace, name, target);
    const version = { apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
    return {
      ...item,
      spec: { ...item.spec, type: "landscaper.gardener.cloud/helm", config: { ...version, ...config } },
    };
  };
  const valuesFrom = (name: string) => ({ valuesFrom: [{ kind: "Secret", name }] });
  const read = (name: string): NamedAttempt => [name, (as) => as.get(kubeResources.secret, at(name))];
  const listOf = async (name: string): Promise<string[]> => {
    const role = await client.find(kubeResources.role, at(agentNames(name).secretsRole));
    return role?.rules?.flatMap(({ resourceNames }) => resourceNames ?? ["all"]) ?? [];
  };
  const untilListed = async (name: string, expected: readonly string[]): Promise<void> => {
    const wanted = JSON.stringify(expected.toSorted());
    await waitFor(async () => JSON.stringify(await listOf(name)) === wanted, {
      describe: async () => `${JSON.stringify(await listOf(name))}\n${environment.describeLogs()}`,
    });
  };

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      separateTarget: false,
      configs: { "landscaper-core": { deployerManagement: { namespace, leaseNamespace: namespace } } },
    });
    ({ client } = environment);
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    await waitFor(async () => (await client.find(resources.context, at(defaultContextName))) !== undefined);
    const body = { registryPullSecrets: [{ name: "pull" }] };
    await client.patch(resources.context, at(defaultContextName), { type: "merge", body });
    for (const name of [...foreign, ...listed]) await client.create(kubeResources.secret, secret(name));
    await client.create(resources.target, {
      apiVersion,
      kind: "Target",
      metadata: at("site-second"),
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: "site-kubeconfig" } },
    });
    const options = { namespaces: ["team"] };
    for (const name of [own, other]) {
      await client.create(resources.environment, hostedEnvironment(name, environment.hub, options));
    }
    await client.create(resources.deployerRegistration, emptyRegistration(registration));
    for (const name of [own, other]) {
      await waitFor(async () => (await client.get(resources.environment, { name })).status?.succeeded === "1/1", {
        describe: () => Promise.resolve(environment.describeLogs()),
      });
    }
    const exports = { exports: { exports: [{ key: "a", jsonPath: ".a", targetName: "site-second" }] } };
    await client.create(resources.deployItem, helmItem("web-edge", own, valuesFrom("edge-values")));
    await client.create(
      resources.deployItem,
      helmItem("web-site", other, { ...valuesFrom("site-values"), ...exports }),
    );
    const { url, ca } = environment.hub;
    const connection = { server: url, ca, token: await createAgentAccount(client, namespace, own) };
    intruder = createClient({ connection, userAgent: "intruder" });
    await untilListed(own, listed);
    // The authorizer learns of Roles by a watch of its own.
    const [last = ""] = listed.toReversed();
    await waitFor(async () => (await tryAll([read(last)], intruder)).join() === `${last}: done`);
  }, 240_000);
  afterAll(async () => {
    await intruder.close();
    for (const name of ["web-edge", "web-site"]) await client.delete(resources.deployItem, at(name));
    await client.delete(resources.deployerRegistration, { name: registration });
    for (const name of [own, other]) await removeEnvironment(client, name);
    await deleteClusterRoles(client, agentAccountName(own));
    await client.delete(kubeResources.namespace, { name: namespace });
    await environment.stop();
  }, 180_000);

  it("reads the Secrets that its items and their Context name", async () => {
    const attempts = listed.map(read);
    expect(await tryAll(attempts, intruder)).toEqual(everyOutcome(attempts, "done"));
  });

  it("reads neither the kubeconfig of another Environment nor a record of a Helm release", async () => {
    const attempts = foreign.map(read);
    expect(await tryAll(attempts, intruder)).toEqual(everyOutcome(attempts, "refused"));
    expect(await tryAll(attempts, client)).toEqual(everyOutcome(attempts, "done"));
    await untilListed(other, ["pull", "site-values", "site-kubeconfig", "web-site-export", "web-site-plan"]);
  });

  it("neither lists nor watches Secrets", async () => {
    const path = `/api/v1/namespaces/${namespace}/secrets`;
    const [name = ""] = listed;
    const requests = ["", "?watch=true", `?fieldSelector=metadata.name%3D${name}&watch=true&timeoutSeconds=1`];
    const attempts = requests.map((query): NamedAttempt => [
      query,
      (as) => as.request({ method: "GET", path: `${path}${query}` }),
    ]);
    expect(await tryAll(attempts, intruder)).toEqual(everyOutcome(attempts, "refused"));
  });

  it("does not learn the content of a Secret from the answer to a write", async () => {
    const path = (name: string) => resourcePath(kubeResources.secret, at(name));
    const attempts = foreign.flatMap((name): readonly NamedAttempt[] => [
      [
        // Such a deletion adds a finalizer: the API server answers with the object.
        `delete ${name} without its dependents`,
        (as) => as.request({ method: "DELETE", path: `${path(name)}?dryRun=All&propagationPolicy=Orphan` }),
      ],
      [`update ${name}`, (as) => as.update(kubeResources.secret, { ...secret(name), data: {} }, dryRun)],
      [`patch ${name}`, (as) => as.patch(kubeResources.secret, at(name), { type: "merge", body: {}, dryRun: true })],
    ]);
    expect(await tryAll(attempts, intruder)).toEqual(everyOutcome(attempts, "refused"));
  });

  it("cannot add a name to its list by what it writes", async () => {
    const change =
      (spec: object): NamedAttempt[1] =>
      async (as) => {
        const object = await client.get(resources.environment, { name: own });
        return await as.update(resources.environment, { ...object, spec: { ...object.spec, ...spec } }, dryRun);
      };
    const { type } = (await client.get(resources.environment, { name: own })).spec.hostTarget;
    const item = async () => await client.get(resources.deployItem, at("web-edge"));
    const role = at(agentNames(own).secretsRole);
    const attempts: readonly NamedAttempt[] = [
      ["a Secret of the Target of its host", change({ hostTarget: { type, secretRef: { name: "site-kubeconfig" } } })],
      [
        "a Secret with values of its item",
        async (as) => {
          const found = await item();
          const config = { ...Object(found.spec.config), ...valuesFrom("site-values") };
          return await as.update(resources.deployItem, { ...found, spec: { ...found.spec, config } }, dryRun);
        },
      ],
      [
        "another Context",
        async (as) => {
          const found = await item();
          return await as.update(resources.deployItem, { ...found, spec: { ...found.spec, context: "x" } }, dryRun);
        },
      ],
      ["an item", (as) => as.create(resources.deployItem, helmItem("new", own, valuesFrom("site-values")), dryRun)],
      [
        "a Target",
        (as) =>
          as.create(resources.target, { apiVersion, kind: "Target", metadata: at("new"), spec: { type } }, dryRun),
      ],
      [
        "a pull secret",
        (as) => as.patch(resources.context, at(defaultContextName), { type: "merge", body: {}, dryRun: true }),
      ],
      ["the Role", (as) => as.patch(kubeResources.role, role, { type: "merge", body: { rules: [] }, dryRun: true })],
    ];
    expect(await tryAll(attempts, intruder)).toEqual(everyOutcome(attempts, "refused"));
    expect(await tryAll(attempts, client)).toEqual(everyOutcome(attempts, "done"));
  });

  it("reads nothing more through spec.hostTarget, even if an administrator writes a Secret there", async () => {
    const { metadata, spec } = await client.get(resources.environment, { name: own });
    const { config, ...hostTarget } = spec.hostTarget;
    const secretRef = { name: "greedy-kubeconfig" };
    const write = async (target: object): Promise<void> => {
      const body = { spec: { hostTarget: target } };
      await client.patch(resources.environment, { name: own }, { type: "merge", body });
    };
    await write({ ...hostTarget, config: null, secretRef });
    await waitFor(async () => (await client.get(resources.target, at(own))).spec.secretRef?.name === secretRef.name, {
      describe: () => Promise.resolve(environment.describeLogs()),
    });
    await waitFor(async () => {
      const { status, metadata: now } = await client.get(resources.environment, { name: own });
      return now.generation !== metadata.generation && status?.observedGeneration === now.generation;
    });
    expect(await listOf(own)).toEqual(listed.toSorted());
    const attempts = [read(secretRef.name)];
    expect(await tryAll(attempts, intruder)).toEqual(everyOutcome(attempts, "refused"));
    await write({ ...hostTarget, config, secretRef: null });
  });

  it("has a list whose largest form the API server stores", async () => {
    const names = Array.from({ length: 4000 }, (_, index) => `${index}-`.padEnd(253, "x"));
    const metadata = at("largest");
    const rules = [...agentSecretRules(names)];
    await client.create(kubeResources.role, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata,
      rules,
    });
    const { rules: stored } = await client.get(kubeResources.role, metadata);
    expect(stored?.[0]?.resourceNames).toHaveLength(names.length);
    await client.delete(kubeResources.role, metadata);
  });

  it("reads nothing more when its Environment is deleted", async () => {
    await client.delete(resources.deployItem, at("web-edge"));
    await removeEnvironment(client, own);
    expect(await client.find(kubeResources.role, at(agentNames(own).secretsRole))).toBeUndefined();
    expect(await client.find(kubeResources.roleBinding, at(agentNames(own).secretsRole))).toBeUndefined();
    const attempts = [...listed, ...foreign].map(read);
    await waitFor(async () => {
      const outcomes = await tryAll(attempts, intruder);
      return JSON.stringify(outcomes) === JSON.stringify(everyOutcome(attempts, "refused"));
    });
    await client.create(resources.environment, hostedEnvironment(own, environment.hub, { namespaces: ["team"] }));
  });
});
