import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, kubeResources, resources, type Deployment, type LsHealthCheck } from "@landscaper/api";
import { createManager } from "@landscaper/controller-runtime";
import {
  createFakeClock,
  createTestLogger,
  waitFor,
  startEmbeddedCluster,
  type EmbeddedCluster,
  type TestNamespace,
} from "@landscaper/testkit";
import { addHealthCheck } from "./add-health-check.ts";
import { decideHealth, initialHealth } from "./decide-health.ts";

const now = new Date("2026-06-01T00:00:00Z");

describe("the health that is told (core.md §4.54)", () => {
  it.each<[problems: readonly string[], hadProblems: boolean, expected: unknown]>([
    [[], false, { status: "Ok", lastUpdateTime: "2026-06-01T00:00:00Z", description: "ok" }],
    [[], true, { status: "Ok", lastUpdateTime: "2026-06-01T00:00:00Z", description: "ok" }],
    [["a"], false, undefined],
    [["a", "b"], true, { status: "Failed", lastUpdateTime: "2026-06-01T00:00:00Z", description: "a; b" }],
  ])("with the problems %j, problems before: %s", (problems, hadProblems, expected) => {
    expect(decideHealth({ problems, hadProblems, now })).toEqual(expected);
  });
});

describe("the health check (core.md §1.4 no. 87, §4.54)", () => {
  let cluster: EmbeddedCluster;
  let namespace: TestNamespace;
  const clock = createFakeClock(now.getTime());
  const stop = new AbortController();
  let running: Promise<void>;
  const healthCheck = (name: string): LsHealthCheck => ({
    apiVersion,
    kind: "LsHealthCheck",
    metadata: { name },
    ...initialHealth,
  });

  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: true });
    namespace = await cluster.createNamespace("ls-system");
    await namespace.create(resources.lsHealthCheck, healthCheck("of-an-older-release"));
    for (const name of ["controller", "other"]) {
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [{ name, image: "x" }] } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await namespace.create(kubeResources.deployment, {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name },
        spec,
      });
    }
    const client = cluster.connect("core");
    const manager = createManager({ name: "test", client, log: createTestLogger(), clock });
    const deployments = ["controller", "other", "missing"];
    addHealthCheck(manager, { client, settings: { namespace: "ls-system", name: "health", deployments } });
    running = manager.start(stop.signal);
  });
  afterAll(async () => {
    stop.abort(new Error("stop"));
    await running;
    await cluster.stop();
  });

  async function setAvailable(name: string): Promise<void> {
    const deployment = await namespace.get(kubeResources.deployment, name);
    const observedGeneration = deployment.metadata.generation ?? 0;
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const status: NonNullable<Deployment["status"]> = { observedGeneration, ...counts };
    await namespace.client.updateStatus(kubeResources.deployment, { ...deployment, status });
  }

  /** Lets minutes pass until the health is told. */
  async function untilStatus(status: string): Promise<LsHealthCheck> {
    return waitFor(
      async () => {
        const found = await namespace.find(resources.lsHealthCheck, "health");
        if (found?.status === status) return found;
        await clock.advance(60_000);
        return undefined;
      },
      { evenly: true },
    );
  }

  it("begins with one object of the namespace, which says nothing yet", async () => {
    const found = await namespace.until(resources.lsHealthCheck, "health", (object) => object !== undefined);
    expect(found).toMatchObject({ status: "Init", lastUpdateTime: "1970-01-01T00:00:00Z", description: "ok" });
    await namespace.untilGone(resources.lsHealthCheck, "of-an-older-release");
  });

  it("names what is wrong, and sees at once when it is over", async () => {
    await setAvailable("controller");
    expect((await untilStatus("Failed")).description).toBe(
      "Deployment other: its controller has not seen the last change yet; Deployment missing does not exist",
    );
    await setAvailable("other");
    const { metadata: _, ...deployment } = await namespace.get(kubeResources.deployment, "controller");
    await namespace.create(kubeResources.deployment, { ...deployment, metadata: { name: "missing" } });
    await setAvailable("missing");
    expect((await untilStatus("Ok")).description).toBe("ok");
  });
});
