// TargetSyncs whose source never answers: who waits for it.
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { createForeignServers, toForeignServerLimits } from "@landscaper/controller-runtime";
import { createFakeClock, waitFor, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { resyncMs, sourceShares } from "./attempt.ts";
import {
  namesOfMade,
  startSync,
  startTestSource,
  untilSynced,
  type TestSource,
} from "../../test/target-sync-source.ts";

/** No request ends by itself while the test runs, however slow the machine is. */
const patient = {
  connectTimeout: "10m",
  answerTimeout: "10m",
  totalTimeout: "10m",
  maxObjectMiB: 8,
  maxListMiB: 64,
  unansweredRequests: 3,
  longestRest: "1m",
};
const foreignServers = createForeignServers({ limits: toForeignServerLimits(patient, "targets.requests") });
/** As many as the controller has workers, and some. */
const slowNamespaces = 12;
const clock = createFakeClock(Date.parse("2026-06-01T00:00:00Z"));

let cluster: EmbeddedCluster;
let core: TestCore;
let source: TestSource;
let silent: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  [cluster, source] = await Promise.all([startEmbeddedCluster({ crds: true }), startTestSource()]);
  core = startTestCore(cluster.connect("core"), { parts: ["central"], clock, foreignServers });
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
});
afterAll(async () => {
  silent.close();
  for (const socket of sockets) socket.destroy();
  await core.stop();
  await Promise.all([cluster.stop(), source.stop()]);
});

function silentKubeconfig(): string {
  const { port } = silent.address() as AddressInfo; // It listens on TCP.
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
}

async function startSilent(prefix: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const hub = await cluster.createNamespace(`${prefix}-${index}`);
    await startSync(hub, { kubeconfig: silentKubeconfig(), secretNameExpression: "*", sourceNamespace: "any" });
  }
}

describe("TargetSyncs whose source does not answer", () => {
  it("hold no worker: those of other namespaces are synced, and deleted, meanwhile", async () => {
    await startSilent("slow", slowNamespaces);
    await waitFor(() => sockets.size === slowNamespaces);
    const waiting = [...sockets];
    const [quick, from] = [await cluster.createNamespace("quick"), await source.open()];
    await from.putSecret("one", "config-one");
    const fields = { secretNameExpression: "*", sourceNamespace: from.name };
    await startSync(quick, { kubeconfig: source.server.kubeconfig, ...fields });
    await untilSynced(quick, ({ lastErrors }) => lastErrors === undefined);
    expect(await namesOfMade(quick)).toEqual({ targets: ["one"], secrets: ["one"] });
    await quick.delete(resources.targetSync, "sync");
    await quick.untilGone(resources.targetSync, "sync");
    expect(waiting.filter((socket) => sockets.has(socket))).toEqual(waiting);
  });

  it("leave places for the sources that have answered, however many namespaces they have", async () => {
    const [quick, from] = [await cluster.createNamespace("answered"), await source.open()];
    await from.putSecret("one", "config-one");
    const fields = { secretNameExpression: "*", sourceNamespace: from.name };
    await startSync(quick, { kubeconfig: source.server.kubeconfig, ...fields });
    await quick.until(kubeResources.secret, "one", (found) => found !== undefined);
    await untilSynced(
      quick,
      ({ lastErrors, lastUpdateTime }) => lastUpdateTime !== undefined && lastErrors === undefined,
    );
    await startSilent("dead", sourceShares.total);
    await waitFor(() => sockets.size === sourceShares.perServer);
    await from.putSecret("two", "config-two");
    await clock.advance(resyncMs);
    await quick.until(kubeResources.secret, "two", (found) => found !== undefined);
    expect(sockets.size).toBe(sourceShares.perServer);
  });
});
