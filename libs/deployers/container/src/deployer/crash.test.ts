// The deployer is killed at each of its writes in turn, before the write is done or when only its answer is lost (`deathModesAt`). The next process has to
// end the job as the first one would have, and no program may run twice.
import { describe, expect, it } from "@jest/globals";
import { isJobOpen, kubeResources, resources, type Pod } from "@landscaper/api";
import { armDeath, deathModesAt, waitFor, type Death } from "@landscaper/testkit";
import { recordedGate } from "../contract/labels.ts";
import { specOf, useContainerBench } from "../../test/container-bench.ts";
import type { PodEnd } from "../../test/played-pods.ts";

const bench = useContainerBench("container-crash");
const userAgent = "container.deployer.landscaper.gardener.cloud";
const never: Death = { write: Number.POSITIVE_INFINITY, mode: "close" };

const isGated = (pod: Pod): boolean => JSON.stringify(pod.spec).includes(recordedGate);

/** Plays the kubelet for all Pods of the item until `signal`; `end` undefined: their programs do not end. Returns the names of those whose programs it has run. */
async function playKubelet(end: PodEnd | undefined, signal: AbortSignal): Promise<readonly string[]> {
  const ran: string[] = [];
  const seen = new Set<string>();
  while (!signal.aborted) {
    const next = (await bench.pods()).find((pod) => !isGated(pod) && !seen.has(pod.metadata.uid ?? ""));
    if (next !== undefined) {
      seen.add(next.metadata.uid ?? "");
      ran.push(next.metadata.name ?? "");
      if (end === undefined) await bench.reportRunning(next);
      else await bench.finish(next, end);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return ran;
}

const isCounted = ({ verb, resource }: { readonly verb: string; readonly resource: string }): boolean =>
  ["create", "update", "patch", "delete", "deletecollection"].includes(verb) &&
  !["leases", "events"].includes(resource);

interface Scenario {
  readonly name: string;
  readonly leastWrites: number;
  readonly end: PodEnd;
  readonly isDeletion?: boolean;
  /** Of the Pods whose programs ran in all. */
  readonly runs: number;
}

const scenarios: readonly Scenario[] = [
  { name: "a run that succeeds", leastWrites: 15, end: { exports: "a: 1", state: ["one"] }, runs: 1 },
  { name: "a run that fails", leastWrites: 14, end: { main: { exitCode: 3, message: "no" } }, runs: 1 },
  {
    name: "a run that takes back",
    leastWrites: 20,
    end: { exports: "a: 1", state: ["one"] },
    isDeletion: true,
    runs: 2,
  },
];

async function isOver(): Promise<boolean> {
  const key = { namespace: bench.scope.namespace, name: "item" };
  const item = await bench.fixture.hubClient.find(resources.deployItem, key);
  return item === undefined || (item.status?.jobID !== undefined && !isJobOpen(item.status));
}

async function run({ end, isDeletion = false }: Scenario, death: Death) {
  await bench.begin();
  const playing = new AbortController();
  const kubelet = playKubelet(end, playing.signal);
  if (isDeletion) {
    const before = bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    await bench.scope.waitForEnd("item");
    await before.stop();
  }
  const armed = armDeath([bench.fixture.hub, bench.fixture.target], { death, userAgent, isCounted });
  const first = bench.start({}, { gracefulStopMs: 20 });
  if (isDeletion) await bench.scope.remove("item");
  else await bench.scope.create({ name: "item", spec: specOf() });
  await waitFor(async () => armed.hasDied || (await isOver()));
  await first.stop();
  armed.disarm();
  const second = bench.start({}, { gracefulStopMs: 20 });
  await waitFor(isOver);
  await waitFor(async () => (await bench.pods()).length === 0);
  await second.stop();
  playing.abort();
  return { ran: await kubelet, state: await describeState(), hasDied: armed.hasDied };
}

/** All that is left, without what differs by nature: names of the namespace, uids, times, and what follows from them. */
async function describeState(): Promise<unknown> {
  const { namespace } = bench.scope;
  const { hubClient } = bench.fixture;
  const item = await hubClient.find(resources.deployItem, { namespace, name: "item" });
  const { items } = await hubClient.list(kubeResources.secret, { namespace });
  const { phase, lastError, exportRef, providerStatus, jobID = "" } = item?.status ?? {};
  const text = JSON.stringify({
    item: item && { phase, lastError: lastError && [lastError.reason, lastError.message], exportRef, providerStatus },
    exports: items.filter(({ type }) => type === "Opaque").map(({ metadata, data }) => [metadata.name, data]),
    host: await bench.hostObjects(),
  });
  const [, pod = "item-none"] = /"podName":"(item-\w{8})"/.exec(text) ?? [];
  return JSON.parse(
    text
      .replaceAll(namespace, "NAMESPACE")
      .replaceAll(pod.slice("item-".length), "SUFFIX")
      .replaceAll(jobID === "" ? "-" : `"${jobID}"`, '"JOB"')
      .replaceAll(/"podUID":"[^"]*"/g, '"podUID":"UID"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "TIME"),
  );
}

describe.each(scenarios)("$name", (scenario) => {
  it("ends as it would have, and its program once, whichever write is the last of a process", async () => {
    const wanted = await run(scenario, never);
    expect(wanted.ran).toHaveLength(scenario.runs);
    let write = 0;
    for (let hasDied = true; hasDied; write++) {
      for (const mode of deathModesAt(write)) {
        const result = await run(scenario, { write, mode });
        expect({ write, mode, runs: result.ran.length, state: result.state }).toEqual({
          write,
          mode,
          runs: scenario.runs,
          state: wanted.state,
        });
        hasDied = result.hasDied;
      }
    }
    expect(write).toBeGreaterThan(scenario.leastWrites);
  }, 480_000);
});

describe("a run whose process has died, and whose job is interrupted before the next one starts", () => {
  /** True: the process has died before its program ran. */
  async function interruptAfter(death: Death): Promise<boolean> {
    await bench.begin();
    const playing = new AbortController();
    const kubelet = playKubelet(undefined, playing.signal);
    const armed = armDeath([bench.fixture.hub, bench.fixture.target], { death, userAgent, isCounted });
    const first = bench.start({}, { gracefulStopMs: 20 });
    const { jobID = "" } = (await bench.scope.create({ name: "item", spec: specOf() })).status ?? {};
    const conditions = async () => (await bench.scope.get("item")).status?.conditions ?? [];
    const isSaidToRun = async (): Promise<boolean> => JSON.stringify(await conditions()).includes("program in Pod");
    await waitFor(async () => armed.hasDied || (await isSaidToRun()));
    await first.stop();
    armed.disarm();
    await bench.scope.interrupt("item");
    const second = bench.start({}, { gracefulStopMs: 20 });
    await waitFor(async () => (await bench.pods()).length === 0);
    await waitFor(async () => (await conditions()).every(({ status }) => status !== "Progressing"));
    const { status } = await bench.scope.get("item");
    expect([death, status?.jobIDFinished, status?.lastError?.reason]).toEqual([death, jobID, "InterruptOperation"]);
    await second.stop();
    playing.abort();
    expect((await kubelet).length).toBeLessThanOrEqual(1);
    return armed.hasDied;
  }

  it("leaves no Pod, also none that was not recorded yet, whichever write is the last of the process", async () => {
    let write = 0;
    for (let hasDied = true; hasDied; write++) {
      for (const mode of deathModesAt(write)) hasDied = await interruptAfter({ write, mode });
    }
    expect(write).toBeGreaterThan(10);
  }, 480_000);
});
