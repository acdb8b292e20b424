// Measures fleets of Environments with four deployers each, on the real API server. The comparisons, and why they are fair:
//
// - A rollout of another version to all deployers, beside two clients that only send requests. "Smallest list" sends the requests that the contract requires
//   (./raw-rollout.ts, with the reason for each); the budget applies to this ratio. "Replay" sends exactly the requests of the product and its users. Both come from
//   one recording, and a restored etcd snapshot gives each turn the same objects. Raw clients run before and after the product. They have no watches, which favours
//   them.
// - The same rollout beside updates of the same Installations by users: the same jobs of the same items, without deployer management.
// - Heartbeats, and the growth of both figures from a tenth of the fleet to the whole fleet: the same work of the same processes, divided by the number of Environments.
//
// The deployers are mock items, so that the bench measures the core's work. A sample of the agents are processes, each with the rights of its chart. The bench
// plays the others, because memory does not suffice for thousands of agents: it writes their Environments and renews their Leases.
import { setTimeout as sleep } from "node:timers/promises";
import { agentNames, kubeResources, labels, resources, type Installation } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { harnessNamespace } from "../../src/clusters/service-token.ts";
import type { Client } from "@landscaper/controller-runtime";
import { createAgentSample, type AgentCost, type AgentSample } from "./agent-sample.ts";
import { compareRollout, toRaw, type RolloutComparison } from "./raw-rollout.ts";
import { readProcessUsage } from "../measure/process-usage.ts";
import { parsePrometheusText, sumBy } from "../measure/prometheus-text.ts";
import {
  agentLease,
  environmentName,
  fleetBlueprint,
  fleetEnvironment,
  fleetRegistration,
  microTime,
} from "./fleet-objects.ts";
import { listOverBudget, type Figure } from "../measure/judge-figures.ts";

/** What one more Environment costs in a fleet of a size. */
export interface FleetMeasure {
  readonly environments: number;
  /** From the change of all registrations until all deployers have succeeded with it, for each deployer. */
  readonly rolloutMsEach: number;
  /** Processor time of the core for that, for each deployer. */
  readonly rolloutCpuMsEach: number;
  /** Requests of the core, and its processor time, for a heartbeat of one Environment. */
  readonly heartbeatRequests: number;
  readonly heartbeatCpuMs: number;
}

export interface FleetBenchmark {
  readonly registrations: number;
  readonly measures: readonly FleetMeasure[];
  /** As many Installations, changed by their users. */
  readonly updateMsEach: number;
  readonly peakRssMiB: number;
  readonly agents: AgentCost;
  /** Undefined on the embedded server, which has no etcd snapshot to restore. */
  readonly comparison: RolloutComparison | undefined;
  readonly misses: readonly string[];
}

export interface FleetOptions {
  /** Environments at the end; a tenth of them is measured first. */
  readonly count: number;
  readonly inFlight: number;
  /** Number of agents that run as processes; at most a tenth of the Environments, rounded up. */
  readonly agents: number;
  /** Whether the pauses that let the core settle are short. */
  readonly isShort: boolean;
  /** Default: "real". */
  readonly cluster?: "real" | "embedded";
  readonly announce: (line: string) => void;
}

const registrations = ["one", "two", "three", "four"];
const budgets = {
  /** Rollout to the smallest list of requests. */
  toContract: 1.5,
  /** Requests of the core for a heartbeat, which an agent sends once a minute. */
  heartbeatRequests: 1.05,
  /** Rollout to updates by users. */
  rollout: 1.2,
  rssMiB: 700,
  /** Cost at the last size to that at the first. */
  growth: 1.3,
};
/** Smaller fleets do not judge heartbeats, growth and raw clients: the constant work of the core dominates. */
const comparableEnvironments = 50;
const timeoutMs = 1_200_000;
const heartbeatsPerSecond = 100;
/** Interval between reads of the deployers' status. */
const pollMs = 1000;
const shortPollMs = 100;
/** Requests in a pause with which the core counts as at rest. */
const quietRequests = 3;
const quietMs = 3000;
const shortQuietMs = 500;

interface Bench extends FleetOptions {
  readonly environment: Environment;
  readonly sample: AgentSample;
}

/** Number of played agents. The last Environments have processes: at the first size, whose objects are restored, the bench plays all agents. */
const playedOf = ({ agents, count }: FleetOptions): number => count - Math.min(agents, Math.ceil(count / 10));

const namespace = harnessNamespace;
const deployerManagement = { namespace, leaseNamespace: namespace };

async function listDeployers({ environment }: Bench): Promise<readonly Installation[]> {
  const labelSelector = labels.deployerEnvironment;
  return (await environment.client.list(resources.installation, { namespace, labelSelector })).items;
}

function hasVersion({ spec, status, metadata }: Installation, blueprint: string): boolean {
  const isDone = status?.phase === "Succeeded" && status.observedGeneration === metadata.generation;
  return isDone && status.jobID === status.jobIDFinished && JSON.stringify(spec.blueprint) === blueprint;
}

/** Until so many deployers have succeeded with the version. */
async function untilDone(bench: Bench, version: number, count: number): Promise<void> {
  const blueprint = JSON.stringify(fleetBlueprint(version));
  const look = async (): Promise<boolean> =>
    (await listDeployers(bench)).filter((one) => hasVersion(one, blueprint)).length === count;
  await waitFor(look, { timeoutMs, intervalMs: bench.isShort ? shortPollMs : pollMs });
}

async function grow(bench: Bench, from: number, to: number): Promise<void> {
  const { environment, inFlight } = bench;
  const { client, hub } = environment;
  await runInParallel(to - from, inFlight, async (offset) => {
    if (from + offset >= playedOf(bench)) {
      await bench.sample.start(environmentName(from + offset));
      return;
    }
    await client.create(kubeResources.lease, agentLease(from + offset, namespace));
    await client.create(resources.environment, fleetEnvironment(from + offset, hub.url));
  });
}

const cpuOf = ({ environment }: Bench): number =>
  readProcessUsage(environment.service("landscaper-core").child.pid).cpuSeconds * 1000;

async function changeRegistrations(client: Client, version: number): Promise<void> {
  const body = { spec: { installationTemplate: { blueprint: fleetBlueprint(version) } } };
  for (const name of registrations) {
    await client.patch(resources.deployerRegistration, { name }, { type: "merge", body });
  }
}

/** Gives all registrations another version. Resolves to wall time and processor time in ms per deployer. */
async function rollOut(bench: Bench, version: number, environments: number) {
  await settle(bench);
  const deployers = environments * registrations.length;
  const cpu = cpuOf(bench);
  const began = performance.now();
  await changeRegistrations(bench.environment.client, version);
  await untilDone(bench, version, deployers);
  const milliseconds = performance.now() - began;
  return { rolloutMsEach: milliseconds / deployers, rolloutCpuMsEach: (cpuOf(bench) - cpu) / deployers };
}

/** All requests that the core has sent, watches and its own Leases included. */
async function countRequests({ environment }: Bench): Promise<number> {
  const text = await environment.service("landscaper-core").metrics();
  return sumBy(parsePrometheusText(text), "rest_client_requests_total", [])[""] ?? 0;
}

/** Until the core has hardly anything left to write. */
async function settle(bench: Bench): Promise<void> {
  let before = Number.NaN;
  const look = async (): Promise<boolean> => {
    const last = before;
    before = await countRequests(bench);
    return before - last <= quietRequests;
  };
  await waitFor(look, { timeoutMs, intervalMs: bench.isShort ? shortQuietMs : quietMs });
}

/** Every agent renews its Lease, as many in a second as in a fleet of 6,000 Environments. */
async function beat(bench: Bench, environments: number) {
  const { client } = bench.environment;
  await settle(bench);
  const [requests, cpu] = [await countRequests(bench), cpuOf(bench)];
  // Agents that are processes renew their Leases by themselves.
  const played = Math.min(environments, playedOf(bench));
  for (let index = 0; index < played; index += heartbeatsPerSecond) {
    const pause = sleep(1000);
    await runInParallel(Math.min(heartbeatsPerSecond, played - index), bench.inFlight, async (offset) => {
      const key = { namespace, name: agentNames(environmentName(index + offset)).lease };
      const patch = { type: "merge" as const, body: { spec: { renewTime: microTime() } } };
      await client.patch(kubeResources.lease, key, patch);
    });
    await pause;
  }
  await settle(bench);
  return {
    heartbeatRequests: ((await countRequests(bench)) - requests) / played,
    heartbeatCpuMs: (cpuOf(bench) - cpu) / played,
  };
}

async function measure(bench: Bench, version: number, environments: number): Promise<FleetMeasure> {
  bench.announce(`${environments} Environments: heartbeats ...`);
  const heartbeat = await beat(bench, environments);
  bench.announce(`${environments} Environments: rollout of another version ...`);
  const found = { environments, ...(await rollOut(bench, version, environments)), ...heartbeat };
  bench.announce(describeMeasure(found));
  return found;
}

/** Printed at once, because a long bench may be cut off. */
function describeMeasure({ environments, ...figures }: FleetMeasure): string {
  const words = Object.entries(figures).map(([figure, value]) => `${figure} ${value.toFixed(2)}`);
  return `${environments} Environments: ${words.join(", ")}`;
}

/** Lets users make the same change to the same Installations. Suspended Environments do not revert it. Resolves to ms per Installation. */
async function updateByHand(bench: Bench, version: number, environments: number): Promise<number> {
  const { client } = bench.environment;
  const suspend = { type: "merge" as const, body: { spec: { suspend: true } } };
  await runInParallel(environments, bench.inFlight, async (index) => {
    await client.patch(resources.environment, { name: environmentName(index) }, suspend);
  });
  await settle(bench);
  const installations = await listDeployers(bench);
  const patch = { type: "merge" as const, body: { spec: { blueprint: fleetBlueprint(version) } } };
  const began = performance.now();
  await runInParallel(installations.length, bench.inFlight, async (index) => {
    const name = installations[index]?.metadata.name ?? "";
    await client.patch(resources.installation, { namespace, name }, patch);
  });
  await untilDone(bench, version, installations.length);
  return (performance.now() - began) / installations.length;
}

/** Returns the figures that a run of this size does not judge, each with the reason. */
export function listUnjudged({ measures }: Pick<FleetBenchmark, "measures">): string[] {
  const { environments = 0 } = measures[0] ?? {};
  const reason = `the first size has fewer than ${comparableEnvironments} Environments`;
  return environments < comparableEnvironments ? [`heartbeats, growth, the smallest list of requests: ${reason}`] : [];
}

/** What the measures miss. Pure. */
export function listFleetMisses({
  measures,
  updateMsEach,
  peakRssMiB,
  comparison,
}: Omit<FleetBenchmark, "misses" | "registrations" | "agents">): string[] {
  const [first, last] = [measures[0], measures.at(-1)];
  if (first === undefined || last === undefined) return ["nothing was measured"];
  const growth = `cost in ${last.environments} Environments to that in ${first.environments}`;
  const ofLargeFleets: readonly Figure[] = [
    ...(comparison === undefined
      ? []
      : [
          [
            "time of a rollout to the smallest list of requests",
            toRaw(comparison, comparison.contract),
            budgets.toContract,
          ] as const,
        ]),
    ["requests of the core for a heartbeat", last.heartbeatRequests, budgets.heartbeatRequests],
    [`rollout: ${growth}`, last.rolloutCpuMsEach / first.rolloutCpuMsEach, budgets.growth],
    [`heartbeat: ${growth}`, last.heartbeatCpuMs / first.heartbeatCpuMs, budgets.growth],
  ];
  return listOverBudget([
    ["time of a rollout to that of updates", last.rolloutMsEach / updateMsEach, budgets.rollout],
    ["peak RSS of the core in MiB", peakRssMiB, budgets.rssMiB],
    ...(first.environments < comparableEnvironments ? [] : ofLargeFleets),
  ]);
}

/** Compares a rollout with raw clients; undefined on the embedded server. The deployers have version 0 before and after. */
async function compare(bench: Bench, environments: number): Promise<RolloutComparison | undefined> {
  const { environment, inFlight, announce } = bench;
  const { etcdUrl } = environment.hub;
  if (etcdUrl === undefined) return undefined;
  const deployers = environments * registrations.length;
  announce(`${environments} Environments: a rollout beside raw clients ...`);
  await settle(bench);
  const comparison = await compareRollout({
    environment,
    etcdUrl,
    inFlight,
    environments,
    deployers,
    configs: { "landscaper-core": { deployerManagement } },
    rollOut: async (client) => {
      await changeRegistrations(client, 1);
      await untilDone(bench, 1, deployers);
    },
    settle: async () => settle(bench),
  });
  await untilDone(bench, 0, deployers);
  return comparison;
}

async function run(bench: Bench): Promise<FleetBenchmark> {
  const { count, announce, environment } = bench;
  const sizes = [Math.ceil(count / 10), count];
  const measures: FleetMeasure[] = [];
  for (const name of registrations) {
    await environment.client.create(resources.deployerRegistration, fleetRegistration(name));
  }
  let version = 0;
  let size = 0;
  let comparison: RolloutComparison | undefined;
  for (const next of sizes) {
    announce(`${next} Environments with ${registrations.length} deployers each ...`);
    await grow(bench, size, next);
    await untilDone(bench, version, next * registrations.length);
    if (size === 0) comparison = await compare(bench, next);
    size = next;
    version += 1;
    measures.push(await measure(bench, version, size));
  }
  const { peakRssMiB } = readProcessUsage(environment.service("landscaper-core").child.pid);
  announce("the same Installations, changed by their users ...");
  const updateMsEach = await updateByHand(bench, version + 1, size);
  const result = { measures, updateMsEach, peakRssMiB, comparison };
  const agents = bench.sample.cost();
  return { registrations: registrations.length, ...result, agents, misses: listFleetMisses(result) };
}

export async function benchFleet(options: FleetOptions): Promise<FleetBenchmark> {
  const environment = await startEnvironment({
    cluster: options.cluster ?? "real",
    services: ["landscaper-core", "mock-deployer"],
    separateTarget: false,
    configs: { "landscaper-core": { deployerManagement } },
    logLevel: "info",
  });
  const sample = createAgentSample(environment.hub, namespace);
  try {
    return await run({ ...options, environment, sample });
  } finally {
    await sample.stop();
    await environment.stop();
  }
}
