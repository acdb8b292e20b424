// What each wait names for a watch: everything that its answer depends on.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { awaitObject } from "./awaited-objects.ts";
import { checkReadiness, type ReadinessOptions } from "./check-readiness.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { referenceTo } from "../cluster/resource-reference.ts";
import { configMap, TargetFixture } from "../../test/target-fixture.ts";

let target: TargetFixture;
beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());

const signal = new AbortController().signal;
const deployments: UnstructuredType = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  namespaced: true,
};

function deployment(name: string): UnstructuredObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "n" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  };
}

/** Without the cluster, which is the same everywhere. */
async function check(options: Partial<ReadinessOptions>) {
  const clusterOf = () => Promise.reject(new Error("no secondary target"));
  const base = { cluster: target.cluster, entries: [], checks: undefined, clusterOf, signal };
  const { awaited, ...report } = await checkReadiness({ ...base, ...options });
  expect(awaited.every(({ cluster }) => cluster === target.cluster)).toBe(true);
  return { ...report, awaited: awaited.map(({ cluster: _same, ...objects }) => objects) };
}

describe("what readiness waits for", () => {
  it("is nothing where all is ready", async () => {
    const live = await target.client.create(kubeResources.configMap, configMap("ready"));
    expect(await check({ entries: [{ resource: referenceTo(live) }] })).toEqual({ unready: [], awaited: [] });
  });

  it("is an object that is not there", async () => {
    const resource = { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "absent" };
    expect(await check({ entries: [{ resource }] })).toEqual({
      unready: ["ConfigMap n/absent: does not exist"],
      awaited: [resource],
    });
  });

  it("is the workload; where failures count, its pods too", async () => {
    const live = await target.client.create(deployments, deployment("web"));
    const object = { apiVersion: "apps/v1", kind: "Deployment", namespace: "n", name: "web" };
    const pods = { apiVersion: "v1", kind: "Pod", namespace: "n", labelSelector: "app=web" };
    const entries = [{ resource: referenceTo(live) }];
    expect((await check({ entries })).awaited).toEqual([object]);
    expect((await check({ entries, checks: { level: "kstatus" } })).awaited).toEqual([object, pods]);
    expect((await check({ entries, checks: { level: "kstatus", failFast: false } })).awaited).toEqual([object]);
  });

  it("is also time, while a failure may be about the former spec", async () => {
    const stalled = {
      ...configMap("stalled"),
      status: { conditions: [{ type: "Stalled", status: "True", reason: "No" }] },
    };
    const resource = referenceTo(stalled);
    const fresh = new Map([["/ConfigMap/n/stalled", stalled]]);
    const options = { entries: [{ resource }], checks: { level: "kstatus" }, fresh, suspects: new Map() } as const;
    expect(await check({ ...options, elapsedMs: 1000 })).toMatchObject({ lookAgainAfterMs: 10_000 });
    expect(await check({ ...options, elapsedMs: 5000 })).toMatchObject({ lookAgainAfterMs: 6000 });
  });

  it("is what a custom check looks at: the object, the labels, and the one that has them and does not fulfil it", async () => {
    const requirements = [{ jsonPath: ".data.ready", operator: "==" as const, values: [{ value: "yes" }] }];
    const labels = { apiVersion: "v1", kind: "ConfigMap", matchLabels: { tier: "back", app: "shop" } };
    const object = { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "checked" };
    const custom = [
      { name: "named", resourceSelector: [object], requirements },
      { name: "labelled", labelSelector: labels, requirements },
    ];
    const selected = { apiVersion: "v1", kind: "ConfigMap", labelSelector: "tier=back,app=shop" };
    expect((await check({ checks: { custom } })).awaited).toEqual([object, selected]);
    const labelled = configMap("checked", {}, { labels: labels.matchLabels });
    await target.client.create(kubeResources.configMap, labelled);
    expect((await check({ checks: { custom } })).awaited).toEqual([object, selected, object]);
  });
});

it("names an object of a cluster as a watch can", () => {
  const { cluster } = target;
  const reference = { apiVersion: "v1", kind: "Namespace", name: "n", namespace: "", uid: "u" };
  expect(awaitObject(cluster, reference)).toEqual({ cluster, apiVersion: "v1", kind: "Namespace", name: "n" });
});

describe("what else is waited for", () => {
  it("is the CRD that has to be established, and the object that finalizers keep", async () => {
    const crd: UnstructuredObject = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.waiting.example.org" },
      spec: {
        group: "waiting.example.org",
        names: { kind: "Thing", plural: "things" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    const { client } = target;
    // Of a server that takes its time.
    const slow: typeof client = {
      ...client,
      create: async (type, object) => ({ ...(await client.create(type, object)), status: {} }),
      get: async (type, key) => ({ ...(await client.get(type, key)), status: {} }),
    };
    const cluster = { ...target.cluster, client: slow };
    const { waitingFor, awaited } = await target.apply("item", [{ policy: "manage", manifest: crd }], { cluster });
    const { apiVersion, kind } = crd;
    expect([waitingFor, awaited]).toEqual([
      [`CustomResourceDefinition things.waiting.example.org to be established`],
      [{ cluster, apiVersion, kind, name: "things.waiting.example.org" }],
    ]);

    const held = configMap("held", {}, { finalizers: ["example.org/hold"] });
    const { applied } = await target.apply("item", [{ policy: "manage", manifest: held }]);
    const entries = [...applied.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    const deletion = await target.remove("item", entries);
    expect([deletion.waitingFor, deletion.awaited]).toEqual([
      ["ConfigMap n/held"],
      [{ cluster: target.cluster, apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "held" }],
    ]);
    const groups = [
      { customResourceGroup: { deleteAllResources: true, resources: [{ apiVersion: "v1", kind: "ConfigMap" }] } },
    ];
    const all = await target.remove("item", entries, { groups });
    expect([all.waitingFor, all.awaited]).toEqual([deletion.waitingFor, deletion.awaited]);
  });
});
