// Watches of kinds of which nothing happens: they go on without a failure, also where the API server sends no bookmarks.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, resources } from "@landscaper/api";
import { connectionFromKubeconfig, createClient, createSystemClock, reflect } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

/** In place of 150 s: much shorter than the pauses between bookmarks, so that this says as much as hours. */
const silenceMs = 1_200;

describe.each(clustersUnderTest())("idle watches on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: [] });
  });
  afterAll(async () => environment.stop());

  it("are set up again, and nothing is lost or reported", async () => {
    const connection = connectionFromKubeconfig(environment.hub.kubeconfig, { allowFiles: true });
    const client = createClient({ connection, watchProgressDeadlineMs: silenceMs });
    const abort = new AbortController();
    const failures: unknown[] = [];
    const seen: string[] = [];
    let opened = 0;

    const watching = reflect(
      {
        client,
        type: resources.lsHealthCheck,
        clock: createSystemClock(),
        random: Math.random,
        selection: {},
        onList: () => {},
        onOpen: () => void opened++,
        onEvent: (event, { metadata }) => void seen.push(`${event} ${metadata.name ?? ""}`),
        onFailure: (error) => void failures.push(error),
      },
      abort.signal,
    );
    await waitFor(() => opened >= 5);
    expect([failures, seen]).toEqual([[], []]);
    const metadata = { name: "idle-watches", namespace: "default" };
    const lastUpdateTime = new Date().toISOString();
    const health = { status: "Ok", lastUpdateTime, description: "a word" };
    await environment.client.create(resources.lsHealthCheck, {
      apiVersion,
      kind: "LsHealthCheck",
      metadata,
      ...health,
    });
    await waitFor(() => seen.length > 0);
    expect([failures, seen]).toEqual([[], ["ADDED idle-watches"]]);
    abort.abort();
    await watching;
    await client.close();
  });
});
