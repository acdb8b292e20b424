// What docs/guide/fenced-clusters.md says of a landscaper cluster that is restored from a backup: its revision and all objects go back to a moment when a job
// was running, while the agent and the deployers of an Environment go on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type ConfigMap } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeUnless, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import {
  mapRegistration,
  startAgentLandscape,
  type AgentLandscape,
  type AgentProcess,
} from "../agent/agent-landscape.ts";
import { etcdAbsence } from "../src/clusters/etcd-absence.ts";
import { gateCheck, openGate } from "../src/items/gate.ts";
import { helmItem, itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { recordHistory, type ObjectHistory } from "../src/kits/object-history.ts";
import { runInParallel } from "../src/kits/run-in-parallel.ts";
import { createServiceProcess, type ServiceProcess } from "../src/services/service-process.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const waits = { timeoutMs: 60_000 };
const testMs = 240_000;
/** Longer than the control plane is away. */
const leases = ["--lease-duration", "120s"];
/** Of users, on the cluster of the agent. */
const namespace = "users";
/** Writes after the backup: many more than those that follow the restore. */
const lostWrites = 500;
const deployers = ["manifest-deployer", "helm-deployer"] as const;

interface Wanted {
  readonly name: string;
  readonly step?: number;
  /** Waits for the gate. */
  readonly isGated?: boolean;
}

describeUnless(etcdAbsence(), describe)("an Environment whose landscaper cluster is put back to a backup", () => {
  let landscape: AgentLandscape;
  /** Of the agent. */
  let host: EmbeddedCluster;
  let agent: AgentProcess;
  let scope: TestNamespace;
  let restoredMs: number;
  let histories: readonly ObjectHistory<ConfigMap>[];
  let jobs: Readonly<Record<string, string | undefined>>;
  /** Of the Environment. */
  let namespaces: readonly string[] = [];
  const processes: ServiceProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-restored-"));

  const registrationOf = (own: string): string => `${own}-${landscape.suffix}`;
  const pairOf = (own: string) => ({
    namespace: landscape.namespace,
    name: `${registrationOf(own)}-${landscape.name}`,
  });
  const register = async (own: string): Promise<void> => {
    const registration = await mapRegistration(registrationOf(own), { hasAccess: true });
    await landscape.client.create(resources.deployerRegistration, registration);
  };

  /** With the account that deployer management has made. */
  async function startDeployer(name: (typeof deployers)[number]): Promise<void> {
    const pair = pairOf(name);
    const access = await host.client.get(kubeResources.secret, { ...pair, name: `${pair.name}-access` });
    const deployer = await createServiceProcess({
      name,
      folder,
      kubeconfig: Buffer.from(access.data?.["kubeconfig"] ?? "", "base64").toString(),
      config: { identity: pair.name, namespaces },
      args: leases,
    });
    processes.push(deployer);
    await deployer.start();
  }

  /** A ConfigMap by each deployer, with the step. */
  async function apply({ name, step = 1, isGated = false }: Wanted): Promise<void> {
    const config = isGated ? gateCheck(namespace) : {};
    const metadata = { name: `${name}-manifest`, namespace };
    const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { step: `${step}` } };
    const chart = await rawChart({
      "templates/map.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}-chart }\ndata: { step: "{{ .Values.step }}" }\n`,
    });
    const items = [
      manifestItem({ name: "manifest", manifests: [manifest], config }),
      { ...helmItem({ namespace, config: { ...config, name, chart, values: { step } } }), name: "chart" },
    ];
    await scope.apply(itemsInstallation(items, { name, target: "fenced" }));
  }

  const stepsOf = async (name: string): Promise<(string | undefined)[]> =>
    await Promise.all(
      [`${name}-manifest`, `${name}-chart`].map(async (map) => {
        const found = await host.client.find(kubeResources.configMap, { namespace, name: map });
        return found?.data?.["step"];
      }),
    );
  const jobsOf = async (): Promise<Record<string, string | undefined>> => {
    const found = await scope.list(resources.installation);
    return Object.fromEntries(found.map(({ metadata, status }) => [metadata.name, status?.jobID]));
  };

  beforeAll(async () => {
    [landscape, host] = await Promise.all([
      startAgentLandscape({ cluster: "real", isOwn: true }),
      startEmbeddedCluster(),
    ]);
    for (const each of [landscape.namespace, namespace]) await host.createNamespace(each);
    scope = await landscape.environment.namespace(namespace);
    namespaces = [landscape.namespace, scope.name];
    agent = await landscape.createAgent({ host: host.server.kubeconfig, args: leases, config: { namespaces } });
    await agent.start();
    for (const deployer of deployers) await register(deployer);
    await landscape.untilSucceeded("2/2");
    for (const deployer of deployers) await startDeployer(deployer);
    const target = scope.target("fenced");
    await scope.apply({
      ...target,
      metadata: { ...target.metadata, annotations: { [annotations.environment]: landscape.name } },
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: host.server.kubeconfig } },
    });
  }, testMs);
  afterAll(async () => {
    await Promise.all(processes.map(async (each) => each.stop()));
    await landscape?.stop();
    await host?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    "is backed up while a job runs, and works on",
    async () => {
      const { client, environment, untilSucceeded } = landscape;
      for (const name of ["resting", "changed", "deleted"]) await apply({ name });
      for (const name of ["resting", "changed", "deleted"]) await scope.waitForPhase(name, "Succeeded");
      await apply({ name: "working", isGated: true });
      await waitFor(async () => (await stepsOf("working")).every((step) => step === "1"), waits);
      jobs = await jobsOf();
      await environment.hub.etcdCopy?.take();

      await apply({ name: "changed", step: 2 });
      await apply({ name: "created" });
      await scope.trigger("resting");
      await scope.delete(resources.installation, "deleted");
      await openGate(host.client, namespace);
      for (const name of ["changed", "created", "resting", "working"]) await scope.waitForPhase(name, "Succeeded");
      await scope.untilGone(resources.installation, "deleted");
      await register("later");
      await untilSucceeded("3/3");
      const metadata = { namespace: harnessNamespace, name: "written" };
      await client.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
      await runInParallel(lostWrites, 16, async (at) => {
        const body = { data: { [`key-${at}`]: "written" } };
        await client.patch(kubeResources.configMap, metadata, { type: "merge", body });
      });
      expect(await jobsOf()).not.toMatchObject({ resting: jobs["resting"] });
    },
    testMs,
  );

  it(
    "finishes the job that was running, by the same processes",
    async () => {
      const { environment, untilSucceeded } = landscape;
      const core = environment.service("landscaper-core");
      histories = await Promise.all(
        [namespace, landscape.namespace].map(
          async (each) => await recordHistory(host.client, kubeResources.configMap, each),
        ),
      );
      await core.stop();
      await environment.hub.etcdCopy?.putBack();
      restoredMs = Date.now();
      expect(await jobsOf()).toEqual(jobs);
      await core.start();
      for (const name of ["working", "resting", "changed", "deleted"]) await scope.waitForPhase(name, "Succeeded");
      expect(await jobsOf()).toEqual(jobs);
      await untilSucceeded("2/2");
      expect([agent, ...processes].flatMap(({ crashes }) => crashes)).toEqual([]);
    },
    testMs,
  );

  it(
    "does the jobs that are started from then on, of old and new Installations",
    async () => {
      const names = ["resting", "changed", "deleted", "working"];
      for (const name of names) await scope.trigger(name);
      await apply({ name: "fresh" });
      for (const name of [...names, "fresh"]) await scope.waitForPhase(name, "Succeeded");
      for (const name of [...names, "fresh"]) expect([name, await stepsOf(name)]).toEqual([name, ["1", "1"]]);
      const items = await scope.list(resources.deployItem);
      expect(items.map(({ status }) => status?.phase)).toEqual(Array.from({ length: 10 }, () => "Succeeded"));
    },
    testMs,
  );

  it(
    "keeps its heartbeats and Leases",
    async () => {
      const { client, name, names } = landscape;
      const isLater = (time: string | undefined): boolean => Date.parse(time ?? "") > restoredMs;
      await landscape.until(resources.environment, { name }, ({ status } = {} as never) =>
        isLater(status?.lastHeartbeatTime),
      );
      const identities = [names.identity, ...deployers.map((each) => pairOf(each).name)];
      const look = async (): Promise<boolean> => {
        const { items } = await client.list(kubeResources.lease, { namespace: harnessNamespace });
        const renewed = items.filter(({ spec }) => isLater(spec?.renewTime));
        const holders = renewed.map(({ spec }) => spec?.holderIdentity?.split("/")[0]);
        return identities.every((identity) => holders.includes(identity));
      };
      await waitFor(look, waits);
      expect([agent, ...processes].flatMap(({ crashes }) => crashes)).toEqual([]);
    },
    testMs,
  );

  it("has lost nothing, not even what only the agent's cluster knows of", async () => {
    const removed = histories.flatMap(({ seen }) => seen).filter(({ type }) => type === "DELETED");
    expect(removed.map(({ object }) => object.metadata.name)).toEqual([]);
    expect(await stepsOf("created")).toEqual(["1", "1"]);
    const later = await host.client.get(kubeResources.configMap, pairOf("later"));
    expect(later.data).toEqual({ identity: pairOf("later").name, step: "1" });
    for (const history of histories) await history.stop();
  });
});
