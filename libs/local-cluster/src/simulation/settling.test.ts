import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { assert, asyncProperty, array, constantFrom, integer, oneof, record } from "fast-check";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, listAt, numberAt, stringAt } from "../objects/json.ts";
import { createFakeClock, type FakeClock, type TestApi, createTestApi } from "@landscaper/testkit";

// Whatever people do to a workload, and whenever: its controllers bring it to what the spec asks for, and then leave it alone.
describe("a workload that is pushed around", () => {
  let clock: FakeClock;
  let cluster: LocalCluster;
  let api: TestApi;
  let runs = 0;
  beforeAll(async () => {
    clock = createFakeClock();
    cluster = await startLocalCluster({ clock, simulateWorkloads: true });
    api = createTestApi(cluster);
  });
  afterAll(() => cluster.stop());

  type Push =
    | { readonly scale: number }
    | { readonly image: string }
    | { readonly paused: boolean }
    | { readonly kill: number }
    | { readonly waitMs: number };
  const pushes = array(
    oneof(
      record({ scale: integer({ min: 0, max: 4 }) }),
      record({ image: constantFrom("1", "2", "3") }),
      record({ paused: constantFrom(true, false) }),
      record({ kill: integer({ min: 0, max: 3 }) }),
      record({ waitMs: constantFrom(1, 50, 200) }),
    ),
    { minLength: 1, maxLength: 8 },
  );

  interface Place {
    readonly pods: string;
    readonly object: string;
  }

  async function push({ pods, object }: Place, change: Push): Promise<void> {
    if ("scale" in change) await api.patch(object, { spec: { replicas: change.scale } });
    else if ("paused" in change) await api.patch(object, { spec: { paused: change.paused } });
    else if ("image" in change) {
      const containers = [{ name: "main", image: change.image }];
      await api.patch(object, { spec: { template: { spec: { containers } } } });
    } else if ("kill" in change) {
      const pod = listAt((await api.get(pods)).body, "items")[change.kill];
      if (pod !== undefined) await api.delete(`${pods}/${stringAt(pod, "metadata", "name")}`);
    } else await clock.advance(change.waitMs);
  }

  /** Lets time pass until two looks see the same; answers the object and its pods. */
  async function settle({
    pods,
    object,
  }: Place): Promise<{ readonly object: unknown; readonly pods: readonly unknown[] }> {
    let before = "";
    for (let quiet = 0, look = 0; look < 400; look += 1) {
      await clock.advance(50);
      const found = [(await api.get(object)).body, listAt((await api.get(pods)).body, "items")] as const;
      const text = JSON.stringify(found);
      quiet = text === before ? quiet + 1 : 0;
      if (quiet === 4) return { object: found[0], pods: found[1] };
      before = text;
    }
    throw new Error(`the workload does not come to rest: ${before}`);
  }

  const kinds: readonly (readonly [kind: string, plural: string, spec: object])[] = [
    ["Deployment", "deployments", {}],
    ["Deployment that recreates", "deployments", { strategy: { type: "Recreate" } }],
    ["StatefulSet", "statefulsets", { serviceName: "x" }],
    ["StatefulSet in parallel", "statefulsets", { serviceName: "x", podManagementPolicy: "Parallel" }],
  ];
  it.each(kinds)("a %s comes to rest as its spec says", async (_kind, plural, spec) => {
    const property = asyncProperty(pushes, async (changes) => {
      runs += 1;
      const namespace = `run-${runs}`;
      await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
      const collection = `/apis/apps/v1/namespaces/${namespace}/${plural}`;
      const place = { object: `${collection}/w`, pods: `/api/v1/namespaces/${namespace}/pods` };
      const template = {
        metadata: { labels: { app: "w" } },
        spec: { containers: [{ name: "main", image: "1" }] },
      };
      await api.post(collection, {
        metadata: { name: "w" },
        spec: { replicas: 2, selector: { matchLabels: { app: "w" } }, template, ...spec },
      });
      for (const change of changes.filter((one) => plural === "deployments" || !("paused" in one)))
        await push(place, change);
      if (plural === "deployments") await push(place, { paused: false });
      const { object, pods } = await settle(place);
      const wanted = numberAt(object, "spec", "replicas") ?? 1;
      const image = stringAt(listAt(object, "spec", "template", "spec", "containers")[0], "image");
      const images = pods.map((pod) => stringAt(listAt(pod, "spec", "containers")[0], "image"));
      expect(images).toEqual(Array.from({ length: wanted }, () => image));
      expect(fieldAt(object, "status", "observedGeneration")).toBe(fieldAt(object, "metadata", "generation"));
      expect(numberAt(object, "status", "availableReplicas") ?? 0).toBe(wanted);
      expect(numberAt(object, "status", "updatedReplicas") ?? 0).toBe(wanted);
    });
    await assert(property, { seed: 11, numRuns: 5 });
  });
});
