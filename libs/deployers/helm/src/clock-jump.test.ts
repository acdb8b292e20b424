// The time of day of the process jumps while a job waits for readiness.
import { expect, it } from "@jest/globals";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench();

const sets: ResourceType<UnstructuredObject> = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  namespaced: true,
};
const labels = { app: "web" };
const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1" }] };
const set = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
};

async function setStatus(status: object): Promise<void> {
  const patch = { type: "merge", body: { status }, subresource: "status" } as const;
  await bench.fixture.targetClient.patch(sets, { namespace: bench.namespace, name: "web" }, patch);
}

it.each([
  ["a release", {}, ["app.v1 deployed"]],
  ["manifests", { helmDeployment: false }, []],
])(
  "the job of %s continues and succeeds when the time of day jumps by 30 minutes",
  async (...[, config, revisions]) => {
    await bench.create({ chart: await rawChart({ "templates/set.yaml": JSON.stringify(set) }), ...config });
    await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
    const [before, { uid } = {}] = [await bench.scope.get("item"), (await bench.find(sets, "web"))?.metadata];
    // More than the timeout of the job, and than a Helm operation may take.
    bench.clock.setTimeOfDay(30 * 60_000);
    await setStatus({ observedGeneration: 1, replicas: 1 });
    await bench.waitForWords("0 of 1 replicas ready");
    const { status } = await bench.scope.get("item");
    expect([status?.jobID, status?.jobIDFinished, status?.lastError]).toEqual([
      before.status?.jobID,
      before.status?.jobIDFinished,
      undefined,
    ]);
    await setStatus({ observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 });
    const ended = await bench.scope.waitForEnd("item");
    expect([ended.status?.phase, ended.status?.jobIDFinished]).toEqual(["Succeeded", before.status?.jobID]);
    expect((await bench.find(sets, "web"))?.metadata.uid).toBe(uid);
    expect(await bench.revisions()).toEqual(revisions);
  },
);
