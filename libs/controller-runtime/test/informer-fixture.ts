// An informer on a server that answers by a script.
import { kubeResources, type ConfigMap } from "@landscaper/api";
import { afterEach, beforeEach } from "@jest/globals";
import { createClient } from "../src/client/create-client.ts";
import type { Client } from "../src/client/client-interface.ts";
import { createInformer, type SharedInformer } from "../src/informer/create-informer.ts";
import type { InformerOptions } from "../src/controller-interface.ts";
import {
  createFakeClock,
  type FakeClock,
  json,
  openWatch,
  startScriptedApiServer,
  type Answer,
  type ScriptedApiServer,
  createTestLogger,
  type TestLogger,
  waitFor,
} from "@landscaper/testkit";
import { noMetrics } from "../src/observability/metrics-interface.ts";

export const { configMap } = kubeResources;

interface ItemOptions {
  readonly uid?: string;
  readonly labels?: Record<string, string>;
}

export function item(
  name: string,
  resourceVersion: string,
  { uid = `uid-${name}`, labels }: ItemOptions = {},
): ConfigMap {
  const metadata = { namespace: "n", name, uid, resourceVersion, managedFields: [{ manager: "kubectl" }] };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...metadata, ...(labels ? { labels } : {}) },
    data: { a: "b" },
  };
}

export function list(resourceVersion: string, ...items: readonly ConfigMap[]): Answer {
  return json({ kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion }, items });
}

export function event(type: "ADDED" | "MODIFIED" | "DELETED", object: ConfigMap): object {
  return { type, object };
}

export let server: ScriptedApiServer;
export let clock: FakeClock;
export let client: Client;
export let log: TestLogger;
export let stop: AbortController;
export let runs: Promise<void>[];
export let counted: string[];

/** For each test file: it calls this once. */
export function useInformerFixture(): void {
  beforeEach(async () => {
    server = await startScriptedApiServer();
    server.setDefault(openWatch().answer);
    clock = createFakeClock();
    log = createTestLogger();
    client = createClient({ connection: { server: server.url }, clock, random: () => 0 });
    stop = new AbortController();
    runs = [];
    counted = [];
  });
  afterEach(async () => {
    stop.abort(new Error("the test is over"));
    await Promise.all(runs);
    await client.close();
    await server.close();
  });
}

export function start(options: InformerOptions<ConfigMap> = {}): {
  informer: SharedInformer<ConfigMap>;
  seen: string[];
} {
  const metrics = { ...noMetrics, observeInformer: (_kind: string, what: string) => void counted.push(what) };
  const informer = createInformer({ ...options, client, type: configMap, clock, log, metrics, random: () => 0 });
  const seen: string[] = [];
  const note = (what: string, object: ConfigMap): void =>
    void seen.push(`${what} ${object.metadata.name}@${object.metadata.resourceVersion}`);
  informer.addHandler({
    onAdd: (object) => note("add", object),
    onUpdate: (object, previous) => note(`update ${previous.metadata.resourceVersion} to`, object),
    onDelete: (object) => note("delete", object),
  });
  runs.push(informer.run(stop.signal));
  return { informer, seen };
}

/** The informer's requests as "list" and "watch from <version>". */
export function requested(): string[] {
  return server.requests.map(({ query }) => {
    if (query["watch"] !== undefined) return `watch from ${query["resourceVersion"]}`;
    return query["resourceVersion"] === "0" ? "list of nothing" : "list";
  });
}

/** Lets the time go on until the condition holds. */
export async function passTimeUntil(check: () => boolean): Promise<void> {
  await waitFor(
    async () => {
      if (check()) return true;
      if (clock.dueTimes.some((dueMs) => dueMs - clock.now() <= 30_000)) await clock.advance(30_000);
      return false;
    },
    { evenly: true },
  );
}
