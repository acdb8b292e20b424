// The status of an Environment from the Lease of its agent, by the core on an embedded server.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { agentLeaseAnnotations, kubeResources, labels, resources, type Environment, type Lease } from "@landscaper/api";
import { recordRequests, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { environment, managementSettings } from "../../test/deployer-management.ts";
import { toHeartbeat, type Heartbeat } from "./heartbeats.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  await cluster.createNamespace("ls-system");
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  await cluster.client.create(resources.environment, environment("env"));
});
afterAll(async () => {
  await core.stop();
  await cluster.stop();
});

const key = { namespace: "ls-system", name: "landscaper-agent-env" };

function leaseAt(renewTime: string, name = key.name): Lease {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      namespace: key.namespace,
      name,
      labels: { [labels.deployerEnvironment]: "env" },
      annotations: { [agentLeaseAnnotations.agentVersion]: "v1", [agentLeaseAnnotations.clusterVersion]: "v1.34.1" },
    },
    spec: { holderIdentity: "agent/pod", leaseDurationSeconds: 2, renewTime },
  };
}

const statusOf = async () => (await cluster.client.get(resources.environment, { name: "env" })).status;
const isReachable = (status: Environment["status"]): string | undefined =>
  status?.conditions?.find(({ type }) => type === "Reachable")?.status;
const untilReachable = (want: string | undefined) =>
  waitFor(async () => {
    const status = await statusOf();
    return status?.phase !== undefined && isReachable(status) === want ? status : undefined;
  });

it("an Environment says when it has heard of its agent, and when it has not", async () => {
  await untilReachable(undefined);
  // Somebody else's Lease with the label.
  await cluster.client.create(kubeResources.lease, leaseAt("2026-06-01T00:00:00.000000Z", "another"));
  await cluster.client.create(kubeResources.lease, leaseAt("2026-06-01T00:00:10.000000Z"));
  expect(await untilReachable("True")).toMatchObject({
    lastHeartbeatTime: "2026-06-01T00:00:10Z",
    agentVersion: "v1",
    clusterVersion: "v1.34.1",
  });
  await untilReachable("False");
  const body = { spec: { renewTime: "2026-06-01T00:01:10.000000Z" } };
  await cluster.client.patch(kubeResources.lease, key, { type: "merge", body });
  expect((await untilReachable("True"))?.lastHeartbeatTime).toBe("2026-06-01T00:01:10Z");
});

it("an Environment whose agent has a wrong clock is reachable, with a warning and the time at which the core saw the renewal", async () => {
  const startMs = Date.now();
  const renew = async (agoMs: number) => {
    const renewTime = `${new Date(Date.now() - agoMs).toISOString().slice(0, -1)}000Z`;
    const body = { spec: { leaseDurationSeconds: 300, renewTime } };
    await cluster.client.patch(kubeResources.lease, key, { type: "merge", body });
    return await waitFor(async () => {
      const status = await untilReachable("True");
      return status?.lastHeartbeatTime === `${renewTime.slice(0, 19)}Z` ? status : undefined;
    });
  };
  const warningOf = (status: Environment["status"]) =>
    status?.conditions?.find(({ type }) => type === "AgentClockDiffers")?.message;
  await renew(901_000);
  const status = await renew(900_000);
  expect(warningOf(status)).toMatch(/^the clock of the agent is about 15m behind the clock of the core: /);
  expect(Date.parse(status.lastHeartbeatSeenTime ?? "")).toBeGreaterThanOrEqual(startMs - 1000);
  await renew(1000);
  expect(warningOf(await renew(0))).toBeUndefined();
});

it("costs one request for a heartbeat", async () => {
  await cluster.client.patch(kubeResources.lease, key, {
    type: "merge",
    // On a slow machine the Lease has expired meanwhile: only a renewal makes the Environment reachable again.
    body: { spec: { leaseDurationSeconds: 300, renewTime: "2026-06-01T00:02:00.000000Z" } },
  });
  await untilReachable("True");
  const record = recordRequests(cluster.server, ({ userAgent, verb }) => userAgent === "core" && verb !== "watch");
  for (const second of ["20", "30", "40"]) {
    const renewTime = `2026-06-01T00:02:${second}.000000Z`;
    await cluster.client.patch(kubeResources.lease, key, { type: "merge", body: { spec: { renewTime } } });
    await waitFor(async () => (await statusOf())?.lastHeartbeatTime === `2026-06-01T00:02:${second}Z`);
  }
  expect(record.lines).toEqual(Array.from({ length: 3 }, () => "patch environments/status"));
  record.stop();
});

describe("toHeartbeat", () => {
  const lease = (renewTime: string): Lease => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {},
    spec: { renewTime },
  });
  const at = (minute: number) => `2026-06-01T00:0${minute}:00.000000Z`;
  const [first, second, third] = [at(1), at(2), at(3)];

  // Each observation: the renewTime of the Lease, and how many seconds later the core sees it.
  it.each<[string, readonly (readonly [renewTime: string, seconds: number])[], readonly number[]]>([
    ["does not count the renewal that the core finds when it starts", [[first, -50]], []],
    [
      "counts only the renewals after it",
      [
        [first, -50],
        [second, -90],
      ],
      [-90],
    ],
    [
      "keeps the last two renewals, newest first",
      [
        [first, -50],
        [second, -90],
        [third, -89],
        [at(4), -88],
      ],
      [-88, -89],
    ],
    [
      "does not count other changes of the Lease",
      [
        [first, 0],
        [second, 1],
        [second, 40],
      ],
      [1],
    ],
    [
      "counts again from the start after an unreadable time",
      [
        [first, 0],
        [second, 1],
        ["soon", 0],
        [third, 2],
      ],
      [2],
    ],
  ])("%s", (...[, observations, seconds]) => {
    let heartbeat: Heartbeat | undefined;
    for (const [renewTime, delay] of observations) {
      const nowMs = (Number.isNaN(Date.parse(renewTime)) ? 0 : Date.parse(renewTime)) + delay * 1000;
      heartbeat = toHeartbeat({ lease: lease(renewTime), observedMs: 0 }, heartbeat, nowMs);
    }
    expect(heartbeat?.delaysMs).toEqual(seconds.map((each) => each * 1000));
  });
});
