// Rights that few configurations need: what each is for, with the rules of the chart and no others. A full run fails on a rule that nothing uses.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  criticalProblemsName,
  kubeResources,
  resources,
  type KubeObject,
  type Lease,
  type LsHealthCheck,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { createKubeconfig, describeUnless, noFaults, startApiProxy, waitFor, type ApiProxy } from "@landscaper/testkit";
import { servicesWithoutNode, startEnvironment, type Environment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";
import { clustersUnderTest, isFullRun } from "../src/clusters/selected-clusters.ts";
import {
  coreHostAccount,
  coreHubAccount,
  createServiceAccounts,
  type ServiceAccount,
} from "../src/clusters/service-accounts.ts";
import { createServiceProcess, type ServiceProcess } from "../src/services/service-process.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { triggerJob } from "../src/namespaces/trigger-job.ts";

const crdType = kubeResources.customResourceDefinition;

/** The kubeconfig of a core for one of its two clusters, with an account that has the rights for that alone. */
async function kubeconfigOf({ client, url, ca }: TestCluster, account: ServiceAccount): Promise<string> {
  const tokens = await createServiceAccounts(client, [account]);
  return createKubeconfig({ name: account.name, server: url, ca, user: { token: tokens.get(account.name) ?? "" } });
}

describe.each(clustersUnderTest())("a core that runs in another cluster than its resources, %s", (name) => {
  let host: TestCluster;
  let hub: TestCluster;
  let folder: string;
  let core: ServiceProcess;
  const health = { namespace: harnessNamespace, name: "health" };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "least-privilege-"));
    [host, hub] = await Promise.all([
      startTestCluster(name, { api: false }),
      startTestCluster("embedded", { api: false }),
    ]);
    await createReadyDeployment(host);
    const hubFile = join(folder, "hub.kubeconfig");
    writeFileSync(hubFile, await kubeconfigOf(hub, coreHubAccount), { mode: 0o600 });
    core = await createServiceProcess({
      name: "landscaper-core",
      folder,
      kubeconfig: await kubeconfigOf(host, coreHostAccount),
      args: ["--landscaper-kubeconfig", hubFile, "--leader-elect"],
      config: {
        lsDeployments: {
          lsController: "landscaper",
          deploymentsNamespace: harnessNamespace,
          lsHealthCheckName: health.name,
        },
      },
    });
    await core.start();
  });
  afterAll(async () => {
    await core.stop();
    await Promise.all([host.stop(), hub.stop()]);
    rmSync(folder, { recursive: true });
  });

  it("brings there the kinds that tell of itself, and looks at its Deployments", async () => {
    const { items } = await host.client.list(crdType);
    expect(items.map(({ spec }) => spec.names.plural).toSorted()).toEqual(["criticalproblems", "lshealthchecks"]);
    const status = async () => (await host.client.find(resources.lsHealthCheck, health))?.status;
    await waitFor(async () => (await status()) === "Ok");
    const { items: leases } = await host.client.list(kubeResources.lease, { namespace: harnessNamespace });
    expect(leases.map(({ metadata }) => metadata.name ?? "").toSorted()).toEqual([
      "landscaper-core",
      "landscaper-core-central",
      "landscaper-core-main",
    ]);
  });

  it("brings the admission policies to the landscaper cluster alone, and updates those of an earlier release", async () => {
    const type = kubeResources.validatingAdmissionPolicy;
    const namesIn = async ({ client }: TestCluster) =>
      (await client.list(type)).items.map(({ metadata }) => metadata.name ?? "");
    const policies = await namesIn(hub);
    expect(policies).toEqual(expect.arrayContaining(["deployitems.bounds.landscaper.gardener.cloud"]));
    expect((await namesIn(host)).filter((each) => each.endsWith(".landscaper.gardener.cloud"))).toEqual([]);
    await core.stop();
    const bindings = kubeResources.validatingAdmissionPolicyBinding;
    const readAll = async () =>
      await Promise.all(
        policies.map(async (name) => {
          const { failurePolicy } = (await hub.client.get(type, { name })).spec;
          const { validationActions } = (await hub.client.get(bindings, { name })).spec;
          return { name, failurePolicy, validationActions };
        }),
      );
    const before = await readAll();
    expect(before).toContainEqual(expect.objectContaining({ failurePolicy: "Fail", validationActions: ["Deny"] }));
    for (const name of policies) {
      const policy = await hub.client.get(type, { name });
      const failurePolicy = policy.spec.failurePolicy === "Fail" ? "Ignore" : "Fail";
      await hub.client.update(type, { ...policy, spec: { ...policy.spec, failurePolicy } });
      const binding = await hub.client.get(bindings, { name });
      await hub.client.update(bindings, { ...binding, spec: { ...binding.spec, validationActions: ["Audit"] } });
    }
    await core.start();
    expect(await readAll()).toEqual(before);
  });

  it("updates kinds of an earlier release there, and removes LsHealthChecks of other names", async () => {
    await core.stop();
    const key = { name: "lshealthchecks.landscaper.gardener.cloud" };
    const crd = structuredClone(await host.client.get(crdType, key));
    const [version] = crd.spec.versions;
    const columns = version?.additionalPrinterColumns;
    if (version !== undefined) delete version.additionalPrinterColumns;
    await host.client.update(crdType, crd);
    const old: LsHealthCheck = {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "LsHealthCheck",
      metadata: { namespace: harnessNamespace, name: "old" },
      status: "Init",
      lastUpdateTime: "2026-01-01T00:00:00Z",
      description: "of an earlier name",
    };
    await host.client.create(resources.lsHealthCheck, old);
    await core.start();
    expect((await host.client.get(crdType, key)).spec.versions[0]?.additionalPrinterColumns).toEqual(columns);
    const names = async () =>
      (await host.client.list(resources.lsHealthCheck, { namespace: harnessNamespace })).items.map(
        ({ metadata }) => metadata.name,
      );
    await waitFor(async () => (await names()).join() === health.name);
  });
});

describe.each(clustersUnderTest())("services with the rules of their charts on %s", (cluster) => {
  let environment: Environment;
  let proxy: ApiProxy;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      // Each deployer removes Leases of its own kind.
      services: isFullRun() ? servicesWithoutNode : ["landscaper-core", "helm-deployer"],
      separateTarget: false,
      kubeconfigFor: async (service, hub) => {
        if (service !== "landscaper-core") return undefined;
        proxy = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token: hub.serviceToken(service) });
        return proxy.kubeconfig;
      },
    });
  });
  afterAll(async () => {
    await environment.stop();
    await proxy.stop();
  });

  it("note faults of the core itself in its namespace", async () => {
    // No API server answers so: what the core makes of it is a fault of its own.
    proxy.setPlan(({ method, path }) =>
      method === "POST" && /\/namespaces\/fault-[0-9a-f]+\/contexts/.test(path)
        ? { type: "rewrite", rewrite: () => '"no object"' }
        : { type: "pass" },
    );
    const key = { namespace: harnessNamespace, name: criticalProblemsName };
    const problems = async () =>
      (await environment.client.find(resources.criticalProblems, key))?.spec.criticalProblem ?? [];
    for (const count of [1, 2]) {
      const { name } = await environment.namespace("fault");
      await waitFor(async () => (await problems()).length === count);
      expect((await problems()).at(-1)?.description).toContain(`default-contexts ${name}: TypeError: the API server`);
    }
    proxy.setPlan(noFaults);
  });

  it("bring the Secrets of a TargetSync up to date", async () => {
    const scope = await environment.namespace("synced");
    const { targetClient, targetKubeconfig } = environment;
    const source = { namespace: scope.targetNamespace, name: "one.kubeconfig" };
    const secret = (note: string) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: source,
      stringData: { kubeconfig: targetKubeconfig, note },
    });
    await targetClient.create(kubeResources.secret, secret("before"));
    const values = { sourceKubeconfig: targetKubeconfig, sourceNamespace: scope.targetNamespace };
    await scope.apply(...readGuideExamples("targets.md").load("from-secrets", values));
    const noteOf = (object: KubeObject | undefined): string =>
      Buffer.from((object as { data?: { note?: string } } | undefined)?.data?.note ?? "", "base64").toString();
    await scope.until(kubeResources.secret, source.name, (found) => noteOf(found) === "before");
    await targetClient.update(kubeResources.secret, secret("after"));
    await triggerJob(environment.client, resources.targetSync, { namespace: scope.name, name: "clusters" });
    await scope.until(kubeResources.secret, source.name, (found) => noteOf(found) === "after");
    await scope.until(
      resources.targetSync,
      "clusters",
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
  });

  it("install charts with a token of a ServiceAccount", async () => {
    const scope = await environment.namespace("self");
    await scope.apply(...readGuideExamples("targets.md").load("self"));
    await bindAdmin(environment.client, scope);
    const files = {
      "templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: greeting }\ndata: { a: b }\n",
    };
    const item = helmItem({ namespace: scope.name, config: { chart: await rawChart(files) } });
    await scope.apply(itemsInstallation([item], { target: "self" }));
    await scope.waitForPhase("root", "Succeeded");
    expect((await scope.get(kubeResources.configMap, "greeting")).data).toEqual({ a: "b" });
  });

  const absence = isFullRun() ? undefined : "it waits for a minute; npm run e2e:full has it";
  describeUnless(absence, describe)("deployers", () => {
    it("remove the Leases of others that are gone", async () => {
      const type = kubeResources.lease;
      const namespace = harnessNamespace;
      const { items } = await environment.client.list(type, { namespace });
      const deployers = items.filter(({ metadata }) => /^\w+-deployer-0\./.test(metadata.name ?? ""));
      expect(deployers).toHaveLength(3);
      const gone = deployers.map(({ metadata }): Lease => {
        const name = `gone.${metadata.name ?? ""}`;
        const marks = { labels: metadata.labels ?? {} };
        return {
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          metadata: { namespace, name, ...marks },
          spec: {},
        };
      });
      for (const lease of gone) await environment.client.create(type, lease);
      for (const { metadata } of gone) {
        const key = { namespace, name: metadata.name ?? "" };
        await waitFor(async () => (await environment.client.find(type, key)) === undefined);
      }
    });
  });
});

/** One without replicas, whose status says so. */
async function createReadyDeployment({ client, runsWorkloadControllers }: TestCluster): Promise<void> {
  const labels = { app: "landscaper" };
  const metadata = { namespace: harnessNamespace, name: "landscaper" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "none" }] } };
  const deployment = await client.create(kubeResources.deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
  if (runsWorkloadControllers) return;
  await client.updateStatus(kubeResources.deployment, { ...deployment, status: { observedGeneration: 1 } });
}

async function bindAdmin(client: Client, { name: namespace }: TestNamespace): Promise<void> {
  const account = { namespace, name: "installer" };
  const binding = {
    apiVersion: `${rbacGroup}/v1`,
    kind: "RoleBinding",
    metadata: account,
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", ...account }],
  };
  await client.create<KubeObject>(rbacType("RoleBinding"), binding);
}
