// What happens to pods of the charts while Installations are at work: nothing is lost, nothing runs twice, and nobody has to help.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type Pod } from "@landscaper/api";
import { createKubeconfig, describeUnless, waitFor } from "@landscaper/testkit";
import type { ChartName } from "../charts/packed-charts.ts";
import type { Values } from "../charts/rendered-chart.ts";
import {
  chartClusterAbsence,
  startChartCluster,
  systemNamespace,
  untilGone,
  type ChartCluster,
} from "../charts-node/chart-cluster.ts";
import { disturbWork } from "../charts-node/work.ts";
import { cgroupRoot } from "../cluster/pod-cgroups.ts";
import { createLimitedAccount } from "../src/clusters/limited-account.ts";
import { isWholeRun } from "../src/clusters/selected-clusters.ts";

const suiteMs = 1_800_000;
const testMs = 1_200_000;
/** Of the tests but that of the upgrades. */
const few = isWholeRun("charts-node-faults") ? 30 : 12;

/** A release for each service, by its name. */
const releases = {
  core: "landscaper",
  manifests: "manifest-deployer",
  charts: "helm-deployer",
  mocks: "mock-deployer",
} as const satisfies Record<string, ChartName>;
type ReleaseName = keyof typeof releases;
const releaseNames = Object.keys(releases) as ReleaseName[];

describeUnless(chartClusterAbsence(), describe)("services of charts on a real node, at work,", () => {
  let cluster: ChartCluster;

  const deploy = async (release: ReleaseName, values: Values = {}): Promise<void> =>
    await cluster.deploy(release, releases[release], values);
  async function podOf(release: ReleaseName): Promise<Pod> {
    const [pod] = await cluster.podsOf(release);
    if (pod === undefined) throw new Error(`${release} has no pod`);
    return pod;
  }
  const nameOf = ({ metadata }: Pod): string => metadata.name ?? "";
  const restartsOf = ({ status }: Pod): number => status?.containerStatuses?.[0]?.restartCount ?? 0;
  const isReady = ({ status }: Pod): boolean =>
    status?.containerStatuses?.every(({ ready }) => ready === true) === true;
  async function untilReady(release: ReleaseName, isIt: (pod: Pod) => boolean): Promise<void> {
    const describe = async (): Promise<string> => `${release} is not ready\n${await cluster.describeLogs()}`;
    await waitFor(async () => (await cluster.podsOf(release)).some((pod) => isReady(pod) && isIt(pod)), {
      timeoutMs: 180_000,
      describe,
    });
  }

  beforeAll(async () => {
    cluster = await startChartCluster();
    for (const release of releaseNames) await deploy(release);
  }, suiteMs);
  afterAll(async () => cluster?.stop());

  it(
    "are upgraded, each of them while 100 Installations work",
    async () => {
      await disturbWork(cluster, { name: "upgrade", count: 100 }, async () => {
        for (const release of releaseNames) {
          const before = nameOf(await podOf(release));
          await deploy(release, { podAnnotations: { revision: "second" } });
          await untilReady(release, (pod) => nameOf(pod) !== before);
        }
      });
    },
    testMs,
  );

  it(
    "are rolled back",
    async () => {
      await disturbWork(cluster, { name: "rollback", count: few }, async () => {
        for (const release of releaseNames) {
          const before = nameOf(await podOf(release));
          await cluster.helm.run("rollback", release, "1", "--wait", "--timeout", "240s");
          await untilReady(release, (pod) => nameOf(pod) !== before);
          expect((await podOf(release)).metadata.annotations?.["revision"]).toBeUndefined();
        }
      });
    },
    testMs,
  );

  it(
    "are evicted",
    async () => {
      const { client } = cluster.environment;
      await disturbWork(cluster, { name: "evicted", count: few }, async () => {
        for (const release of releaseNames) {
          const name = nameOf(await podOf(release));
          const metadata = { name, namespace: systemNamespace };
          const path = `/api/v1/namespaces/${systemNamespace}/pods/${name}/eviction`;
          await client.request({ method: "POST", path, body: { apiVersion: "policy/v1", kind: "Eviction", metadata } });
          await untilReady(release, (pod) => nameOf(pod) !== name);
        }
      });
    },
    testMs,
  );

  it(
    "run out of memory",
    async () => {
      await disturbWork(cluster, { name: "memory", count: few }, async () => {
        for (const release of releaseNames) {
          const pod = await podOf(release);
          const before = restartsOf(pod);
          starve(pod);
          await waitFor(async () => restartsOf(await podOf(release)) > before);
          const [status] = (await podOf(release)).status?.containerStatuses ?? [];
          expect(status).toMatchObject({ lastState: { terminated: { reason: "OOMKilled" } } });
          await untilReady(release, (found) => restartsOf(found) > before);
        }
      });
    },
    testMs,
  );

  it(
    "stay as they are when the kubelet is killed",
    async () => {
      await disturbWork(cluster, { name: "kubelet", count: few }, async () => {
        const state = async (): Promise<string[]> =>
          (await Promise.all(releaseNames.map(podOf))).map((pod) => `${nameOf(pod)}: ${restartsOf(pod)}`);
        const before = await state();
        await cluster.node.restartKubelet();
        expect(await state()).toEqual(before);
      });
    },
    testMs,
  );

  it(
    "are uninstalled, and installed again",
    async () => {
      await disturbWork(cluster, { name: "uninstalled", count: few }, async () => {
        for (const release of releaseNames) await cluster.helm.run("uninstall", release, "--wait");
        for (const release of releaseNames) await untilGone(cluster, release);
        for (const release of releaseNames) await deploy(release);
      });
    },
    testMs,
  );

  it(
    "get another kubeconfig of the landscaper cluster",
    async () => {
      const { client, hub } = cluster.environment;
      const secret = { name: "hub", namespace: systemNamespace };
      const rotated = ["core", "manifests"] as const;
      /** Kubeconfigs of accounts of their own in a new namespace, by release. */
      const writeSecret = async (namespace: string): Promise<void> => {
        const metadata = { name: namespace };
        await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
        const data: Record<string, string> = {};
        for (const release of rotated) {
          const { token } = await createLimitedAccount(client, { namespace, chart: releases[release] });
          const kubeconfig = createKubeconfig({ name: "hub", server: hub.url, ca: hub.ca, user: { token } });
          data[release] = Buffer.from(kubeconfig).toString("base64");
        }
        const wanted = { apiVersion: "v1", kind: "Secret", metadata: secret, data };
        const isThere = (await client.find(kubeResources.secret, secret)) !== undefined;
        await (isThere
          ? client.patch(kubeResources.secret, secret, { type: "merge", body: { data } })
          : client.create(kubeResources.secret, wanted));
      };
      await writeSecret("first-account");
      for (const release of rotated) {
        const own = { landscaperClusterKubeconfig: { secretRef: { name: secret.name, key: release } } };
        await deploy(release, { [release === "core" ? "landscaper" : "deployer"]: own });
      }
      await disturbWork(cluster, { name: "rotated", count: few }, async () => {
        await writeSecret("second-account");
        for (const release of rotated) {
          await untilReady(release, (pod) => restartsOf(pod) === 1);
        }
        // The tokens of its accounts with it.
        await client.delete(kubeResources.namespace, { name: "first-account" });
        for (const chart of ["landscaper", "manifest-deployer"]) {
          const key = { namespace: "first-account", name: chart };
          await waitFor(async () => (await client.find(kubeResources.serviceAccount, key)) === undefined);
        }
      });
    },
    testMs,
  );
});

/**
 * Gives a container no more memory than it uses, and has another process in its cgroup want some: the kernel kills the larger one, as where a limit is
 * too small.
 */
function starve({ metadata: { uid = "" }, status }: Pod): void {
  const id = /[0-9a-f]{64}$/.exec(String(Reflect.get(status?.containerStatuses?.[0] ?? {}, "containerID")))?.[0];
  const [cgroup] = globSync(join(cgroupRoot, `memory/landscaper-e2e-${process.pid}-*/kubepods/*/pod${uid}/${id}`));
  if (cgroup === undefined) throw new Error(`there is no cgroup of the container ${id}`);
  const used = Number(readFileSync(join(cgroup, "memory.usage_in_bytes"), "utf8"));
  writeFileSync(join(cgroup, "memory.limit_in_bytes"), String(used + 1024 * 1024));
  const eat = 'echo $$ > "$1/cgroup.procs"; exec tail /dev/zero';
  const { signal } = spawnSync("bash", ["-c", eat, "bash", cgroup], { timeout: 60_000 });
  expect(signal).toBe("SIGKILL");
}
