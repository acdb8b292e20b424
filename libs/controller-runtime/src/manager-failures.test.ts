import { kubeResources, LandscaperError } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { createFakeClock, createTestLogger, waitFor } from "@landscaper/testkit";
import { ConnectionError } from "./client/api-error.ts";
import { connectionFromKubeconfig } from "./client/connection/connection-from-kubeconfig.ts";
import { createClient } from "./client/create-client.ts";
import { createMetrics } from "./observability/create-metrics.ts";
import {
  useManagerFixture,
  configMap,
  secret,
  cluster,
  client,
  log,
  stop,
  running,
  namespace,
  newManager,
  start,
  newConfigMap,
  isOfThisTest,
  addNotingController,
  setLog,
  setStop,
} from "../test/manager-fixture.ts";

useManagerFixture();

describe("failures", () => {
  async function failWith(error: unknown): Promise<{ keys: string[]; clock: ReturnType<typeof createFakeClock> }> {
    const clock = createFakeClock();
    const manager = newManager({ clock });
    const keys = addNotingController(manager, () => {
      throw error;
    });
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    return { keys, clock };
  }

  it("are logged and tried again, later and later", async () => {
    const { keys, clock } = await failWith(
      new LandscaperError({ message: "the target is away", reason: "TargetAway" }),
    );
    await waitFor(() => log.lines.some(({ level }) => level === "warn"));
    expect(log.lines.filter(({ level }) => level === "warn")).toEqual([
      {
        level: "warn",
        time: expect.any(String),
        name: "test",
        controller: "noting",
        object: `${namespace}/a`,
        error: { type: "LandscaperError", message: "the target is away", reason: "TargetAway" },
        delayMs: 50,
        failures: 1,
        msg: "the reconciliation failed and is tried again",
      },
    ]);
    for (const [index, delayMs] of [50, 100, 200, 400].entries()) {
      await clock.advance(delayMs - 1);
      expect(keys).toHaveLength(index + 1);
      await clock.advance(1);
      await waitFor(() => keys.length === index + 2);
      // The worker has to come back from its failure before the next delay runs.
      await waitFor(() => log.lines.filter(({ level }) => level === "warn").length === index + 2);
    }
  });

  it("that cannot get better are logged and dropped", async () => {
    const options = { message: "the blueprint is broken", reason: "TemplateError", retry: "never" } as const;
    const { keys, clock } = await failWith(new LandscaperError(options));
    await waitFor(() => log.lines.some(({ level }) => level === "error"));
    await clock.advance(3_600_000);
    expect(keys).toHaveLength(1);
    expect(log.lines.at(-1)).toMatchObject({
      level: "error",
      error: { message: "the blueprint is broken" },
      msg: "the reconciliation failed for good and waits for a change",
    });
  });

  it("of our own code do not end the process, and show their stack", async () => {
    await failWith(new TypeError("undefined is not a function"));
    await waitFor(() => log.lines.some(({ level }) => level === "error"));
    expect(log.lines.at(-1)).toMatchObject({
      error: { type: "TypeError", stack: expect.stringContaining("TypeError") },
    });
  });

  it("of our own API server end soon after it is back, those of others take their time", async () => {
    const request = { method: "GET", path: "/x" };
    const lost = (server: string): Error => new ConnectionError(request, { server, problem: "away", maybeSent: true });
    const delays = async (error: unknown): Promise<unknown[]> => {
      const { clock } = await failWith(error);
      await waitFor(
        async () => {
          await clock.advance(300_000);
          return log.lines.filter(({ level }) => level === "warn").length >= 14;
        },
        { evenly: true },
      );
      return log.lines.filter(({ level }) => level === "warn").map((line) => line["delayMs"]);
    };
    expect((await delays(new Error("wrapped", { cause: lost(client.server) }))).slice(5, 9)).toEqual([
      1_600, 2_500, 2_500, 2_500,
    ]);
    stop.abort(new Error("next"));
    await Promise.all(running);
    setLog(createTestLogger());
    setStop(new AbortController());
    await client.delete(configMap, { namespace, name: "a" });
    expect((await delays(lost("https://target"))).slice(10, 14)).toEqual([51_200, 102_400, 150_000, 150_000]);
  });

  it("do not keep timers waiting, however many keys need no I/O", async () => {
    const manager = newManager();
    const ticks: number[] = [];
    let worked = 0;
    manager.addController({
      name: "busy",
      for: configMap,
      workers: 1,
      predicate: isOfThisTest,
      reconcile: () => {
        const end = performance.now() + 5;
        while (performance.now() < end);
        worked++;
        return Promise.resolve({ requeueAfterMs: worked < 40 ? 0 : 3_600_000 });
      },
    });
    const timer = setInterval(() => ticks.push(worked), 1);
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => worked === 40);
    clearInterval(timer);
    expect(ticks.filter((at) => at > 0 && at < 40).length).toBeGreaterThan(2);
  });

  it("of races are no warnings", async () => {
    const manager = newManager();
    let isFirst = true;
    const keys = addNotingController(manager, async (key) => {
      if (!isFirst) return undefined;
      isFirst = false;
      const stale = newConfigMap(key.name, { resourceVersion: "1" });
      await manager.client.update(configMap, stale);
      return undefined;
    });
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 2);
    expect(log.lines.map(({ level, msg }) => `${String(level)} ${String(msg)}`)).toEqual([
      "info all informers are in sync",
      "debug a write lost its race; the object is read again",
    ]);
  });

  it("of a map function do not stop the events", async () => {
    const manager = newManager();
    const keys: string[] = [];
    manager.addController({
      name: "mapped",
      for: configMap,
      predicate: () => false,
      watches: [
        {
          type: secret,
          map: ({ metadata }) => {
            if (metadata.namespace !== namespace) return [];
            if (metadata.name === "bad") throw new Error("boom");
            return [{ namespace, name: metadata.name ?? "" }];
          },
        },
      ],
      reconcile: (key) => {
        keys.push(key.name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    for (const name of ["bad", "good"]) {
      await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata: { namespace, name } });
    }
    await waitFor(() => keys.length === 1);
    expect(keys).toEqual(["good"]);
    expect(log.lines).toContainEqual(expect.objectContaining({ msg: "an event handler has thrown" }));
  });
});

describe("health and metrics", () => {
  it("tell who holds a Lease, until it is given up", async () => {
    const seen: string[] = [];
    const metrics = {
      ...(await createMetrics()),
      observeLeader: (name: string, is: boolean) => void seen.push(`${name} ${is}`),
    };
    const lead = (identity: string): Promise<void> => {
      const leaderElection = { namespace, leaseName: "lead", identity };
      const manager = newManager({ metrics: identity === "second" ? metrics : undefined, leaderElection });
      addNotingController(manager);
      return manager.start(identity === "second" ? ending.signal : stop.signal);
    };
    const ending = new AbortController();
    running.push(lead("first"));
    await waitFor(async () => client.find(kubeResources.lease, { namespace, name: "lead" }));
    const second = lead("second");
    running.push(second);
    await waitFor(() => seen.length > 0);
    expect(seen).toEqual(["lead false"]);
    stop.abort(new Error("the first one ends"));
    await waitFor(() => seen.length > 1);
    ending.abort(new Error("the second one ends"));
    await second;
    expect(seen).toEqual(["lead false", "lead true", "lead false"]);
  });

  async function read(url: string): Promise<{ status: number; text: string }> {
    const answer = await fetch(url);
    return { status: answer.status, text: await answer.text() };
  }

  it("are served on a free port when asked for", async () => {
    const metrics = await createMetrics();
    const measured = createClient({ connection: connectionFromKubeconfig(cluster.kubeconfig), metrics });
    cluster.setFault(({ verb, resource }) =>
      verb === "list" && resource === "configmaps" ? { status: 404 } : undefined,
    );
    const manager = newManager({ client: measured, metrics, http: { port: 0, host: "127.0.0.1" } });
    const keys = addNotingController(manager);
    expect(manager.httpUrl).toBeUndefined();
    const run = start(manager);
    const url = await waitFor(() => manager.httpUrl);
    expect(await read(`${url}/healthz`)).toEqual({ status: 200, text: "ok\n" });
    expect(await read(`${url}/readyz`)).toEqual({ status: 503, text: "1 of 1 informers are not in sync\n" });
    cluster.setFault(undefined);
    await waitFor(async () => (await read(`${url}/readyz`)).status === 200);
    await manager.client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    const { text } = await waitFor(async () => {
      const page = await read(`${url}/metrics`);
      return page.text.includes('controller_runtime_reconcile_total{controller="noting",result="success"} 1')
        ? page
        : undefined;
    });
    const { host } = new URL(client.server);
    const requests = (labels: string, resource = "configmaps"): string =>
      `rest_client_requests_total{${labels},host="${host}",resource="${resource}"`;
    expect(text).toContain(`${requests('verb="create",method="POST"')},code="201"} 1`);
    expect(text).toContain(`${requests('verb="list",method="GET"')},code="404"}`);
    expect(text).toContain('workqueue_depth{name="noting",controller="noting"} 0');
    expect(text).toContain('landscaper_queue_oldest_age_seconds{name="noting",controller="noting"} 0');
    expect(text).toContain('landscaper_informer_events_total{kind="ConfigMap",event="relist"} 1');
    expect(text).toContain("process_resident_memory_bytes");
    stop.abort(new Error("stop"));
    await run;
    await expect(fetch(`${url}/healthz`)).rejects.toMatchObject({ message: "fetch failed" });
    await measured.close();
  });
});
