// A service is killed at each request of a job to a registry: the next process ends the job, and does not fetch what is in the cache on disk
// (docs/reference/components.md#settings-of-landscaper-core).
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { artifactOf, startArtifactRegistry, type ArtifactRegistry } from "@landscaper/components/testing";
import { chartInstallation, componentInstallation, landscape } from "../src/artifacts/component-landscape.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { dataObject } from "../src/installations/inline-installation.ts";
import { clustersUnderTest, isWholeRun } from "../src/clusters/selected-clusters.ts";
import type { ServiceName } from "../src/services/service-process.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { shareOfTurn, shareSteps } from "../src/runs/turns.ts";

/** More requests than a job has: one that never ends must not run for ever. */
const maxRequests = 60;

interface Job {
  readonly service: ServiceName;
  /** Of all shares together, at least. */
  readonly requests: number;
  start(scope: TestNamespace, repository: string): Promise<void>;
  expectEnd(scope: TestNamespace): Promise<void>;
}

/** Three components, blueprint, nested blueprint, schema and content for the core; a chart for the deployer. */
const jobs: readonly Job[] = [
  {
    service: "landscaper-core",
    requests: 12,
    async start(scope, repository) {
      await scope.apply(dataObject("text", "abc"), componentInstallation({ repository }));
    },
    async expectEnd(scope) {
      const items = await scope.list(resources.deployItem);
      const statuses = items.map(({ status }) => JSON.stringify(status?.providerStatus));
      expect(statuses.toSorted()).toEqual([
        '{"components":3,"note":"note","words":"words of 1.0.0"}',
        '{"text":"abc","version":"1.0.0"}',
      ]);
    },
  },
  {
    service: "helm-deployer",
    requests: 4,
    async start(scope, repository) {
      await scope.apply(
        scope.target("cluster"),
        dataObject("namespace", scope.targetNamespace),
        chartInstallation(repository),
      );
    },
    async expectEnd(scope) {
      expect((await scope.findOnTarget(kubeResources.configMap, "app-map"))?.data).toEqual({ from: "component" });
    },
  },
];

const digestPattern = /\/(?:manifests|blobs)\/(sha256:[0-9a-f]{64})$/;

/** None for a file that is not written to its end. */
function digestOfFile(name: string): readonly string[] {
  return /^sha256-[0-9a-f]{64}$/.test(name) ? [name.replace("-", ":")] : [];
}

describe.each(clustersUnderTest())("components and a service that dies on %s", (cluster) => {
  let environment: Environment;
  let registry: ArtifactRegistry;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-killed-"));
  const cacheOf = (service: ServiceName): string => join(folder, service);

  beforeAll(async () => {
    const components = await landscape();
    registry = await startArtifactRegistry(await Promise.all(components.map(async (each) => await artifactOf(each))));
    const cache = { path: cacheOf("landscaper-core") };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "mock-deployer", "helm-deployer"],
      configs: {
        "landscaper-core": {
          apiVersion: "config.landscaper.gardener.cloud/v1alpha1",
          kind: "LandscaperConfiguration",
          registry: { oci: { cache } },
          blueprintStore: { path: cache.path },
        },
        "helm-deployer": {
          apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
          kind: "Configuration",
          oci: { cache: { path: cacheOf("helm-deployer") } },
        },
      },
    });
  });
  afterAll(async () => {
    await environment?.stop();
    await registry?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Digests that the service has on its disk, by the folder of whoever may see them: one for each repository. */
  function listCache(service: ServiceName): ReadonlyMap<string, readonly string[]> {
    const path = cacheOf(service);
    // It is made with its first content.
    if (!existsSync(path)) return new Map();
    const owners = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return new Map(owners.map(({ name }) => [name, readdirSync(join(path, name)).flatMap(digestOfFile)]));
  }

  /** What the service has asked for by digest, since that many requests. */
  function fetched(service: ServiceName, since: number): string[] {
    return registry.requests.slice(since).flatMap(({ method, url, userAgent }) => {
      const digest = digestPattern.exec(url)?.[1];
      return method === "GET" && digest !== undefined && userAgent.startsWith(service) ? [digest] : [];
    });
  }

  /** Runs the job once, and kills the service at its nth request; how many digests it then had, or undefined when there was none. */
  async function runKilled(job: Job, n: number): Promise<number | undefined> {
    const { service } = job;
    const before = new Set(listCache(service).keys());
    let requests = 0;
    let restarting: Promise<{ readonly cached: readonly string[]; readonly since: number }> | undefined;
    registry.setInterference(({ userAgent }) => {
      if (restarting !== undefined || !userAgent.startsWith(service)) return false;
      requests += 1;
      if (requests < n) return false;
      restarting = killAndRestart();
      return true;
    });
    const killAndRestart = async (): Promise<{ readonly cached: readonly string[]; readonly since: number }> => {
      const running = environment.service(service);
      await running.kill();
      const entries = [...listCache(service)].filter(([owner]) => !before.has(owner));
      const cached = entries.flatMap(([, digests]) => digests);
      const since = registry.requests.length;
      await running.start();
      return { cached, since };
    };
    const scope = await environment.namespace(`killed-${n}`);
    // A repository of its own: nothing of it is in the cache.
    await job.start(scope, `${registry.origin}/killed-${n}`);
    await scope.waitForPhase("root", "Succeeded");
    await job.expectEnd(scope);
    const restarted = await restarting;
    registry.setInterference(undefined);
    if (restarted === undefined) return undefined;
    const again = fetched(service, restarted.since).filter((digest) => restarted.cached.includes(digest));
    expect({ n, again }).toEqual({ n, again: [] });
    return restarted.cached.length;
  }

  it.each(jobs)(
    "$service is killed at a request: its job ends as it would have",
    async (job) => {
      const turn = isWholeRun("components-killed") ? undefined : process.env["E2E_TURN"];
      const { first, step } = shareOfTurn(turn, { step: shareSteps.components, shift: 0 });
      const cached: number[] = [];
      for (let n = first; n <= maxRequests; n += step) {
        const found = await runKilled(job, n);
        if (found === undefined) break;
        cached.push(found);
      }
      expect(cached.length).toBeGreaterThanOrEqual(Math.floor(job.requests / step));
      expect(cached.length).toBeLessThan(maxRequests / step);
      // The later it dies, the more it has.
      if (cached.length > 1) expect(cached.at(-1)).toBeGreaterThan(cached[0] ?? 0);
    },
    600_000,
  );
});
