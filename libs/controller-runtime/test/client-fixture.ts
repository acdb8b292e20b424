// A client on a server that answers by a script.
import { kubeResources, type ConfigMap } from "@landscaper/api";
import { afterEach, beforeEach } from "@jest/globals";
import type { Client } from "../src/client/client-interface.ts";
import { createClient, type ClientOptions } from "../src/client/create-client.ts";
import {
  createFakeClock,
  type FakeClock,
  startScriptedApiServer,
  type ScriptedApiServer,
  waitFor,
} from "@landscaper/testkit";
import { noMetrics, type ApiRequestSample } from "../src/observability/metrics-interface.ts";

export const { configMap, namespace: namespaceType } = kubeResources;
export const key = { namespace: "n", name: "a" };
export const path = "/api/v1/namespaces/n/configmaps/a";

export const object: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "n", name: "a" },
  data: { x: "1" },
};
export const stored: ConfigMap = { ...object, metadata: { ...object.metadata, uid: "u", resourceVersion: "7" } };
export let server: ScriptedApiServer;
export let clock: FakeClock;
export let client: Client;
export let samples: ApiRequestSample[];

export function createTestClient(options: Partial<ClientOptions> = {}): Client {
  const metrics = { ...noMetrics, observeApiRequest: (sample: ApiRequestSample) => void samples.push(sample) };
  const connection = { server: server.url, token: "secret-token" };
  return createClient({ connection, clock, metrics, random: () => 0, userAgent: "test/1.0", ...options });
}

/** For each test file: it calls this once. */
export function useClientFixture(): void {
  beforeEach(async () => {
    server = await startScriptedApiServer();
    clock = createFakeClock();
    samples = [];
    client = createTestClient();
  });
  afterEach(async () => {
    await client.close();
    await server.close();
  });
}

/** Lets the fake time run until the promise is settled. */
export async function runTime<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await waitFor(
    async () => {
      if (clock.pendingTimers > 0) await clock.advance(60_000);
      return isSettled;
    },
    { evenly: true },
  );
  return promise;
}

export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export function setServer(value: ScriptedApiServer): void {
  server = value;
}
