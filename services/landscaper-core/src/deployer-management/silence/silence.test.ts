// DeployItems say that their Environment is silent, by the core on an embedded server.
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  agentNames,
  annotations,
  apiVersion,
  kubeResources,
  kubernetesClusterTargetType,
  labels,
  resources,
  type DeployItem,
} from "@landscaper/api";
import { recordRequests, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../../test/core.ts";
import { environment, managementSettings } from "../../../test/deployer-management.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
const namespace = "tenant";
const lease = { namespace: "ls-system", name: agentNames("edge").lease };

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  await cluster.createNamespace("ls-system");
  await cluster.createNamespace(namespace);
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  await cluster.client.create(resources.environment, environment("edge"));
  await cluster.client.create(kubeResources.lease, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...lease, labels: { [labels.deployerEnvironment]: "edge" } },
    spec: { holderIdentity: "agent/pod", leaseDurationSeconds: 1, renewTime: "2026-06-01T00:00:10.000000Z" },
  });
  await cluster.client.create(resources.target, {
    apiVersion,
    kind: "Target",
    metadata: { namespace, name: "inside", annotations: { [annotations.environment]: "edge" } },
    spec: { type: kubernetesClusterTargetType, config: {} },
  });
});
afterAll(async () => {
  await core.stop();
  await cluster.stop();
});

async function openItem(name: string): Promise<void> {
  const made = await cluster.client.create(resources.deployItem, {
    apiVersion,
    kind: "DeployItem",
    metadata: { namespace, name },
    spec: { type: "example.org/fenced", target: { name: "inside" } },
  });
  const status = { observedGeneration: 0, jobID: "job", jobIDGenerationTime: new Date().toISOString() };
  await cluster.client.updateStatus(resources.deployItem, { ...made, status });
}

const messageOf = ({ status }: DeployItem) =>
  status?.conditions?.find(({ type }) => type === "EnvironmentReachable")?.message ?? "";
const until = (name: string, want: string) =>
  waitFor(async () => messageOf(await cluster.client.get(resources.deployItem, { namespace, name })) === want);
const untilSilent = async (name: string) => {
  // The time at which the core saw the Lease, not its renewTime.
  const { status } = await waitFor(async () => {
    const environment = await cluster.client.get(resources.environment, { name: "edge" });
    return environment.status?.lastHeartbeatSeenTime === undefined ? undefined : environment;
  });
  const seen = status?.lastHeartbeatSeenTime ?? "";
  await until(name, `Environment edge acts for the Target: the agent has not renewed its Lease since ${seen}`);
};

async function renew(second: string): Promise<void> {
  const body = { spec: { renewTime: `2026-06-01T00:02:${second}.000000Z`, leaseDurationSeconds: 300 } };
  await cluster.client.patch(kubeResources.lease, lease, { type: "merge", body });
  await waitFor(async () => {
    const { status } = await cluster.client.get(resources.environment, { name: "edge" });
    return status?.lastHeartbeatTime === `2026-06-01T00:02:${second}Z`;
  });
}

it("items with an open job say it when the agent falls silent, new ones at once, and no more when it is back", async () => {
  await openItem("early");
  await untilSilent("early");
  await openItem("late");
  await untilSilent("late");
  await renew("10");
  await until("early", "");
  await until("late", "");
});

it("items with an open job say it when their Environment does not serve their namespace, and no more when it does", async () => {
  await openItem("unserved");
  const name = async (namespaces: readonly string[] | null): Promise<void> => {
    const body = { spec: { namespaces } };
    await cluster.client.patch(resources.environment, { name: "edge" }, { type: "merge", body });
    await waitFor(async () => {
      const { metadata, status } = await cluster.client.get(resources.environment, { name: "edge" });
      return status?.observedGeneration === metadata.generation;
    });
  };
  const stampOf = async () =>
    (await cluster.client.get(resources.deployItem, { namespace, name: "unserved" })).metadata.annotations?.[
      annotations.environments
    ];
  await waitFor(async () => (await stampOf()) === "edge");
  await name(["ls-system"]);
  await until(
    "unserved",
    "Environment edge acts for the Target, but does not serve namespace tenant: its spec.namespaces does not name it",
  );
  await waitFor(async () => (await stampOf()) === undefined);
  await name(["ls-system", namespace]);
  await until("unserved", "");
  await waitFor(async () => (await stampOf()) === "edge");
  await name(null);
});

it("a heartbeat costs them nothing", async () => {
  const record = recordRequests(cluster.server, ({ userAgent, verb }) => userAgent === "core" && verb !== "watch");
  await renew("20");
  await renew("30");
  expect(record.lines).toEqual(["patch environments/status", "patch environments/status"]);
  record.stop();
});
