import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources, type KubeObject, type Right } from "@landscaper/api";
import {
  createFakeClock,
  createTestLogger,
  findFreePorts,
  installCrds,
  startEmbeddedCluster,
  waitFor,
  type EmbeddedCluster,
  type FakeClock,
  type TestLogger,
} from "@landscaper/testkit";
import { addKindsCheck, addRightsCheck, createRefusals, createUnserved } from "../access/standing-checks.ts";
import { ApiError } from "../client/api-error.ts";
import { connectionFromKubeconfig } from "../client/connection/connection-from-kubeconfig.ts";
import { createClient } from "../client/create-client.ts";
import { loadConnection } from "../client/connection/load-connection.ts";
import type { Manager } from "../controller-interface.ts";
import { createManager } from "../create-manager.ts";
import { noMetrics } from "../observability/metrics-interface.ts";
import { waitForConnection } from "./wait-for-connection.ts";

let embedded: EmbeddedCluster;
let log: TestLogger;
let clock: FakeClock;
let stop: AbortController;
let running: Promise<void>[];
beforeAll(async () => {
  embedded = await startEmbeddedCluster({ authorization: "rbac" });
});
afterAll(() => embedded.stop());
beforeEach(() => {
  log = createTestLogger();
  clock = createFakeClock();
  stop = new AbortController();
  running = [];
});
afterEach(async () => {
  embedded.server.setFault(undefined);
  stop.abort(new Error("the test is over"));
  await Promise.allSettled(running);
});

const http = { port: 0, host: "127.0.0.1" };

function start(manager: Manager): Promise<void> {
  const run = manager.start(stop.signal);
  running.push(run);
  return run;
}

async function ask(url: string, path = "/readyz"): Promise<string> {
  const answer = await fetch(`${url}${path}`);
  return `${answer.status} ${await answer.text()}`.trim();
}

const mistake = (message: string): LandscaperError =>
  new LandscaperError({ message, reason: "InvalidInput", hint: "correct it" });

describe("what has to be there before a manager works", () => {
  it("is tried again until it is, while the health server says what is missing", async () => {
    const manager = createManager({ name: "test", client: embedded.client, clock, random: () => 0, log, http });
    const problems: unknown[] = [
      mistake("first"),
      new ApiError({ method: "GET", path: "/x" }, { status: 401, statusObject: { message: "Unauthorized" } }),
    ];
    const order: string[] = [];
    manager.addPreparation("one", async () => {
      const problem = problems.shift();
      if (problem !== undefined) throw problem;
      order.push("one");
    });
    manager.addPreparation("two", async () => void order.push("two"));
    manager.addRunnable("work", async () => void order.push("work"));
    void start(manager);
    await waitFor(() => manager.httpUrl !== undefined && problems.length === 1);
    const url = manager.httpUrl ?? "";
    expect(await ask(url)).toBe("503 first (correct it)");
    expect(await ask(url, "/healthz")).toBe("200 ok");
    await clock.advance(500);
    await waitFor(() => problems.length === 0);
    expect(await ask(url)).toBe("503 the API server refuses the credentials of the service: GET /x: 401 Unauthorized");
    await clock.advance(5_000);
    await waitFor(() => order.length === 3);
    expect(order).toEqual(["one", "two", "work"]);
    expect(await ask(url)).toBe("200 ok");
    expect(log.lines.filter(({ msg }) => /not ready|over/.test(String(msg))).map(({ msg }) => msg)).toEqual([
      "the service is not ready",
      "the service is not ready",
      "a problem is over",
    ]);
  });

  it("ends the manager when it has a fault", async () => {
    const manager = createManager({ name: "test", client: embedded.client, clock, log });
    manager.addPreparation("broken", () => Promise.reject(new TypeError("a fault")));
    await expect(start(manager)).rejects.toThrow(new TypeError("a fault"));
  });

  it("is given up without an error when the process is told to end", async () => {
    const manager = createManager({ name: "test", client: embedded.client, clock, log });
    manager.addPreparation("never", () => Promise.reject(mistake("not yet")));
    const run = start(manager);
    await waitFor(() => log.lines.length > 0);
    stop.abort(new Error("the process ends"));
    await run;
  });
});

describe("the rights of a running process", () => {
  const right: Right = { group: "", resources: ["configmaps"], verbs: ["get"], why: "" };
  const apiGroup = "rbac.authorization.k8s.io";
  const metadata = { name: "jo" };
  const type = (kind: string) => ({
    group: apiGroup,
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: false,
  });
  const grant = async (): Promise<void> => {
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
    const role = { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata, rules };
    await embedded.client.create<KubeObject>(type("ClusterRole"), role);
  };

  it("are looked at again when a request was refused, and it is ready again when they are back", async () => {
    const subjects = [{ apiGroup, kind: "User", name: "jo" }];
    const binding = { roleRef: { apiGroup, kind: "ClusterRole", name: "jo" }, subjects };
    const kind = "ClusterRoleBinding";
    await embedded.client.create<KubeObject>(type(kind), { apiVersion: `${apiGroup}/v1`, kind, metadata, ...binding });
    const connection = connectionFromKubeconfig(embedded.server.kubeconfigFor({ name: "jo" }));
    const refusals = createRefusals();
    const client = createClient({ connection, metrics: refusals.watch(noMetrics) });
    const manager = createManager({ name: "test", client, clock, random: () => 0, log, http });
    addRightsCheck(manager, { demands: [{ client, cluster: "the hub", rights: [right] }], refusals });
    const run = start(manager);
    const missing = "503 user jo lacks rights on the hub: get configmaps";
    const isMissing = async (): Promise<boolean> =>
      manager.httpUrl !== undefined && (await ask(manager.httpUrl)).startsWith(missing);
    const isReady = async (): Promise<boolean> => {
      await clock.advance(10_000);
      return (await ask(manager.httpUrl ?? "")) === "200 ok";
    };
    const read = async (): Promise<unknown> =>
      await client.find(kubeResources.configMap, { namespace: "default", name: "x" });
    await waitFor(isMissing);
    await grant();
    await waitFor(isReady);
    await embedded.client.delete(type("ClusterRole"), metadata);
    await expect(read()).rejects.toThrow("403");
    await waitFor(async () => {
      await clock.advance(10_000);
      return await isMissing();
    });
    await grant();
    await waitFor(isReady);
    await read();
    stop.abort(new Error("the test is over"));
    await run;
    await client.close();
  });
});

describe("kinds of a running process", () => {
  it("are looked at again when a list finds no such kind, and it is ready again when they are back", async () => {
    await installCrds(embedded.client);
    const unserved = createUnserved();
    const watching = createClient({
      connection: connectionFromKubeconfig(embedded.server.kubeconfig),
      metrics: unserved.watch(noMetrics),
    });
    const manager = createManager({ name: "test", client: watching, clock, random: () => 0, log, http });
    const rights: Right[] = [
      { group: "landscaper.gardener.cloud", resources: ["contexts"], verbs: ["list"], why: "test" },
    ];
    addKindsCheck(manager, { client: watching, cluster: "the hub", rights, unserved });
    const run = start(manager);
    const answers = async (): Promise<string> => {
      await clock.advance(10_000);
      return manager.httpUrl === undefined ? "" : await ask(manager.httpUrl);
    };
    const list = async (): Promise<unknown> => await watching.list(resources.context, { namespace: "default" });
    await waitFor(async () => (await answers()) === "200 ok");
    await list();
    const name = "contexts.landscaper.gardener.cloud";
    await embedded.client.delete(kubeResources.customResourceDefinition, { name });
    await waitFor(async () =>
      list().then(
        () => false,
        () => true,
      ),
    );
    const missing = "503 the hub does not serve contexts of landscaper.gardener.cloud/v1alpha1";
    await waitFor(async () => (await answers()).startsWith(missing));
    await installCrds(embedded.client);
    await waitFor(async () => (await answers()) === "200 ok");
    stop.abort(new Error("the test is over"));
    await run;
    await watching.close();
  });
});

describe("a kubeconfig that cannot be used", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "wait-for-connection-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is waited for by a process that tells its health, until the file is corrected", async () => {
    const [port = 0] = await findFreePorts(1);
    const path = join(folder, "kubeconfig");
    writeFileSync(path, "clusters: 1\n");
    const load = async () => await loadConnection({ kubeconfigPath: path, env: {} });
    const waiting = waitForConnection({ load, port, clock, log }, stop.signal);
    const url = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await ask(url)).startsWith(`503 kubeconfig ${path}: `));
    expect(await ask(url, "/healthz")).toBe("200 ok");
    writeFileSync(path, embedded.server.kubeconfig);
    await clock.advance(2_000);
    expect((await waiting).server).toBe(embedded.server.url);
    await expect(ask(url)).rejects.toThrow("fetch failed");
  });

  it("ends a process that tells it nowhere", async () => {
    const path = join(folder, "missing");
    const load = async () => await loadConnection({ kubeconfigPath: path, env: {} });
    await expect(waitForConnection({ load, port: 0, clock, log }, stop.signal)).rejects.toThrow(
      `kubeconfig: the file ${path} cannot be read (ENOENT)`,
    );
  });
});
