// Takes over Helm releases and manifests of each version of the original with a first job.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type ConfigMap, type KubeObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { ReleaseStore } from "@landscaper/helm-release";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { loadLandscape } from "../take-over/load-landscape.ts";
import { originalVersions, type OriginalVersion } from "../take-over/recorded-object.ts";
import { recordedData, recordWeb, webChart, webSpec, type WebPlace, type WebSettings } from "../take-over/web.ts";

interface Landscape {
  readonly scope: TestNamespace;
  readonly place: WebPlace;
}

/** First jobs. Each runs on a recorded landscape of its own. */
const firstJobs = ["unchanged", "apply"] as const;
type FirstJob = (typeof firstJobs)[number];

const chartFiles = { "Chart.yaml": JSON.stringify(webChart.metadata), ...webChart.templates };

describe.each(clustersUnderTest())("items that the original has deployed, on %s", (cluster) => {
  let environment: Environment;
  const landscapes = new Map<string, Landscape>();
  const landscapeOf = (version: OriginalVersion, job: FirstJob): Landscape => {
    const landscape = landscapes.get(`${version} ${job}`);
    if (landscape === undefined) throw new Error(`no landscape of ${version}`);
    return landscape;
  };

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
      startsServices: false,
    });
    const chart = await rawChart(chartFiles);
    for (const original of originalVersions) {
      for (const job of firstJobs) {
        const scope = await environment.namespace(`web-${original.replaceAll(".", "-")}-${job}`);
        const place: WebPlace = {
          namespace: scope.name,
          targetNamespace: scope.targetNamespace,
          kubeconfig: environment.targetKubeconfig,
          original,
          chart,
        };
        await loadLandscape(scope, recordWeb(place));
        landscapes.set(`${original} ${job}`, { scope, place });
      }
    }
    await Promise.all(environment.services.map(async (each) => each.start()));
  });
  afterAll(() => environment.stop());

  /** Changes the blueprint as a user does, and runs a job. */
  async function deploy({ scope, place }: Landscape, settings: WebSettings): Promise<void> {
    const key = { namespace: scope.name, name: "web" };
    const body = { spec: webSpec(place, settings) };
    await environment.client.patch(resources.installation, key, { type: "merge", body });
    await scope.trigger("web");
    const { status } = await scope.waitForPhase("web", "Succeeded");
    expect(status?.lastError).toBeUndefined();
  }

  async function stateOf({ scope }: Landscape, name: string) {
    const found = await scope.findOnTarget<ConfigMap>(kubeResources.configMap, name);
    const entries = (found?.metadata["managedFields"] ?? []) as { manager: string; operation: string }[];
    const managers = entries.map(({ manager, operation }) => `${manager} ${operation}`).toSorted();
    return { data: found?.data, managers };
  }

  async function revisionsOf({ scope }: Landscape) {
    const client = environment.targetClient;
    const store = new ReleaseStore({ client, namespace: scope.targetNamespace, name: "web", now: Date.now });
    const history = await store.history({ signal: AbortSignal.timeout(30_000) });
    return history.map(({ version, info, apply_method: method }) => [version, info.status, method]);
  }

  describe.each(originalVersions)("of version %s,", (version) => {
    const firstMethod = version === "v1.4.0" ? "csa" : undefined;

    it("lose the fields that chart and manifest no longer set, at the first job with apply", async () => {
      const landscape = landscapeOf(version, "apply");
      const before = ["helm-deployer-controller Update", "manifest-deployer-controller Update"];
      const managers = [await stateOf(landscape, "web"), await stateOf(landscape, "plain")].flatMap(
        (each) => each.managers,
      );
      expect(managers).toEqual(before);
      const data = { always: "product" };
      await deploy(landscape, { data, updateStrategy: "apply" });
      expect(await stateOf(landscape, "web")).toEqual({ data, managers: ["helm Apply"] });
      const item = `landscaper/${landscape.scope.name}/web-plain-q8w3z`;
      expect(await stateOf(landscape, "plain")).toEqual({ data, managers: [`${item} Apply`] });
      expect(await revisionsOf(landscape)).toEqual([
        [1, "superseded", firstMethod],
        [2, "deployed", "ssa"],
      ]);
    });

    it("keep client-side apply at a first job without a strategy", async () => {
      const landscape = landscapeOf(version, "unchanged");
      await landscape.scope.trigger("web");
      await landscape.scope.waitForPhase("web", "Succeeded");
      const states = [await stateOf(landscape, "web"), await stateOf(landscape, "plain")];
      expect(states.map(({ data }) => data)).toEqual([recordedData, recordedData]);
      expect(await revisionsOf(landscape)).toEqual([
        [1, "superseded", firstMethod],
        [2, "deployed", "csa"],
      ]);
    });

    it.each(firstJobs)("are deleted completely after the first job (%s)", async (job) => {
      const { scope } = landscapeOf(version, job);
      await scope.delete(resources.installation, "web");
      await scope.untilGone(resources.installation, "web");
      for (const name of ["web", "plain"]) {
        expect(await scope.findOnTarget(kubeResources.configMap, name)).toBeUndefined();
      }
      const { items } = await environment.targetClient.list<KubeObject>(kubeResources.secret, {
        namespace: scope.targetNamespace,
      });
      expect(items.map(({ metadata }) => metadata.name)).toEqual([]);
    });
  });
});
