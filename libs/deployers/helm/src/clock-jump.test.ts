// The time of day of the process jumps while a job waits for readiness.
import { expect, it } from "@jest/globals";
import { useHelmBench } from "../test/helm-bench.ts";
import { replicaSetChart, replicaSets, setStatus } from "../test/replica-set.ts";

const bench = useHelmBench();

it.each([
  ["a release", {}, ["app.v1 deployed"]],
  ["manifests", { helmDeployment: false }, []],
])(
  "the job of %s continues and succeeds when the time of day jumps by 30 minutes",
  async (...[, config, revisions]) => {
    await bench.create({ chart: await replicaSetChart(), ...config });
    await bench.waitForWords(`readiness of ReplicaSet ${bench.namespace}/web: `);
    const [before, { uid } = {}] = [await bench.scope.get("item"), (await bench.find(replicaSets, "web"))?.metadata];
    // More than the timeout of the job, and than a Helm operation may take.
    bench.clock.setTimeOfDay(30 * 60_000);
    await setStatus(bench, { observedGeneration: 1, replicas: 1 });
    await bench.waitForWords("0 of 1 replicas ready");
    const { status } = await bench.scope.get("item");
    expect([status?.jobID, status?.jobIDFinished, status?.lastError]).toEqual([
      before.status?.jobID,
      before.status?.jobIDFinished,
      undefined,
    ]);
    await setStatus(bench, { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 });
    const ended = await bench.scope.waitForEnd("item");
    expect([ended.status?.phase, ended.status?.jobIDFinished]).toEqual(["Succeeded", before.status?.jobID]);
    expect((await bench.find(replicaSets, "web"))?.metadata.uid).toBe(uid);
    expect(await bench.revisions()).toEqual(revisions);
  },
);
