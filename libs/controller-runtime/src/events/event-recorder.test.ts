import { kubeResources } from "@landscaper/api";
import type { ConfigMap, KubeEvent } from "@landscaper/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "@landscaper/local-cluster";
import {
  startEmbeddedCluster,
  type EmbeddedCluster,
  createFakeClock,
  type FakeClock,
  createTestLogger,
  waitFor,
} from "@landscaper/testkit";
import type { Client } from "../client/client-interface.ts";
import { createEventRecorder } from "./event-recorder.ts";
import type { StoppableEventRecorder } from "./event-recorder.ts";

const { configMap, event: eventType, namespace: namespaceType } = kubeResources;

let embedded: EmbeddedCluster;
let cluster: LocalCluster;
let client: Client;
let clock: FakeClock;
let recorder: StoppableEventRecorder;
let about: ConfigMap;
let namespace: string;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbeddedCluster();
  ({ server: cluster, client } = embedded);
});
afterAll(() => embedded.stop());
beforeEach(async () => {
  namespace = `events-${++count}`;
  await client.create(namespaceType, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  about = await client.create(configMap, { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "a" } });
  clock = createFakeClock();
  recorder = createEventRecorder({
    client,
    component: "landscaper-core",
    instance: "pod-1",
    clock,
    log: createTestLogger(),
  });
});
afterEach(async () => {
  cluster.setFault(undefined);
  const stopped = recorder.stop();
  await clock.advance(10_000);
  await stopped;
});

async function read(): Promise<KubeEvent[]> {
  const { items } = await client.list(eventType, { namespace });
  return items.toSorted((a, b) => (a.note ?? "").localeCompare(b.note ?? ""));
}

function warn(message: string): void {
  recorder.event(about, { type: "Warning", reason: "JobFailed", message });
}

describe("createEventRecorder", () => {
  it("writes events that kubectl can show beside their object", async () => {
    warn("the import db is missing");
    const [event] = await waitFor(async () => ((await read()).length === 1 ? read() : undefined));
    expect(event).toMatchObject({
      reason: "JobFailed",
      note: "the import db is missing",
      type: "Warning",
      reportingController: "landscaper-core",
      reportingInstance: "pod-1",
      regarding: { apiVersion: "v1", kind: "ConfigMap", namespace, name: "a", uid: about.metadata.uid },
    });
    expect(event?.metadata.name).toMatch(/^a\.[0-9a-f]{16}$/);
  });

  it("tells of repetitions in one series, written now and then", async () => {
    for (let index = 0; index < 5; index++) warn("again");
    await waitFor(async () => (await read()).length === 1);
    expect((await read())[0]?.series).toBeUndefined();
    await clock.advance(10_000);
    await waitFor(async () => (await read())[0]?.series !== undefined);
    expect(await read()).toMatchObject([{ series: { count: 5, lastObservedTime: "2026-01-01T00:00:00.000000Z" } }]);
  });

  it("writes what waits when it is stopped, open series too", async () => {
    warn("one");
    warn("two");
    warn("two");
    await recorder.stop();
    expect(await read()).toMatchObject([{ note: "one" }, { note: "two", series: { count: 2 } }]);
    expect(recorder.dropped).toBe(0);
  });

  it("takes nothing after the stop", async () => {
    await recorder.stop();
    warn("late");
    expect(await read()).toEqual([]);
  });

  it("writes an event once though the answer of its creation was lost", async () => {
    let isFirst = true;
    cluster.setFault(({ verb, resource }) => {
      if (verb !== "create" || resource !== "events" || !isFirst) return undefined;
      isFirst = false;
      return "drop-answer";
    });
    warn("once");
    await waitFor(() => !isFirst && clock.pendingTimers > 0);
    await clock.advance(2_000);
    await recorder.stop();
    expect([(await read()).length, recorder.dropped]).toEqual([1, 0]);
  });

  it("drops an event that the server refuses, and goes on with the next", async () => {
    cluster.setFault(({ resource }) => (resource === "events" ? { status: 403 } : undefined));
    warn("refused");
    await waitFor(() => recorder.dropped === 1);
    cluster.setFault(undefined);
    warn("accepted");
    await recorder.stop();
    expect(await read()).toMatchObject([{ note: "accepted" }]);
  });

  it("keeps a bounded number when the server does not answer, and neither blocks nor throws", async () => {
    const never: Client = { ...client, create: () => new Promise(() => {}) };
    const stuck = createEventRecorder({ client: never, component: "c", clock, log: createTestLogger() });
    for (let index = 0; index < 3_000; index++) {
      const metadata = { ...about.metadata, uid: `uid-${index}` };
      stuck.event({ ...about, metadata }, { type: "Normal", reason: "JobStarted", message: "m" });
    }
    // One is being written, 1,000 wait.
    expect(stuck.dropped).toBe(1_999);
  });

  it("ends the stop in time though the server does not answer", async () => {
    cluster.setFault(({ resource }) => (resource === "events" ? { status: 503 } : undefined));
    warn("a");
    const stopped = recorder.stop(3_000);
    await waitFor(() => clock.pendingTimers === 2);
    await clock.advance(3_000);
    await stopped;
    expect(recorder.dropped).toBe(1);
  });
});
