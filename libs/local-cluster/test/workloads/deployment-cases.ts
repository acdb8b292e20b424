import { listAt, stringAt } from "../../src/objects/json.ts";
import { get, patch, post, remove } from "../parity/exchange.ts";
import type { ParityCase } from "../parity/exchange.ts";
import { simulationPrefix } from "../../src/simulation/simulation-options.ts";
import { apps, both, condition, counts, items, running, selector, template, workloadCase } from "./workload-case.ts";

const available = (replicas: number) =>
  both(
    counts({ replicas, updatedReplicas: replicas, availableReplicas: replicas, unavailableReplicas: 0 }),
    condition("Progressing", "True", "NewReplicaSetAvailable"),
  );
const image = (tag: string) => ({
  spec: { template: { spec: { containers: [{ name: "main", image: `main:${tag}` }] } } },
});
const owned = (body: unknown) =>
  listAt(body, "items").every((pod) => listAt(pod, "metadata", "ownerReferences").length > 0);
const strategic = "application/strategic-merge-patch+json";

export const deploymentCases: readonly ParityCase[] = [
  workloadCase("deployment", (path) => {
    const web = path(`deployments${apps}`, "/web");
    return [
      post(path(`deployments${apps}`), {
        metadata: { name: "web", annotations: { note: "kept" } },
        spec: { replicas: 2, selector, template: template() },
      }),
      get(web, available(2)),
      get(path(`replicasets${apps}`)),
      get(path("pods"), items(2)),
      patch(web, image("2"), strategic),
      get(web, available(2)),
      get(path(`replicasets${apps}`)),
      patch(web, image("1"), strategic),
      get(web, available(2)),
      get(path(`replicasets${apps}`)),
      patch(web, { spec: { replicas: 3 } }),
      get(web, available(3)),
      get(path(`replicasets${apps}`)),
      patch(web, { spec: { replicas: 1 } }),
      get(web, available(1)),
      get(path("pods"), items(1)),
      remove(web, { propagationPolicy: "Foreground" }),
      get(path("pods"), items(0)),
      get(path(`replicasets${apps}`), items(0)),
    ];
  }),
  workloadCase("paused deployment", (path) => {
    const web = path(`deployments${apps}`, "/web");
    return [
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: { replicas: 1, selector, template: template() },
      }),
      get(web, available(1)),
      patch(web, { spec: { paused: true } }),
      get(web, both(counts({}), condition("Progressing", "Unknown", "DeploymentPaused"))),
      patch(web, image("2"), strategic),
      get(web, both(counts({ replicas: 1, updatedReplicas: 0 }), condition("Progressing", "Unknown"))),
      get(path(`replicasets${apps}`)),
      patch(web, { spec: { replicas: 2 } }),
      get(web, counts({ replicas: 2, availableReplicas: 2 })),
      patch(web, { spec: { paused: false } }),
      get(web, available(2)),
      get(path(`replicasets${apps}`)),
    ];
  }),
  workloadCase("deployment that never gets ready", (path) => {
    const web = path(`deployments${apps}`, "/web");
    return [
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: { replicas: 2, progressDeadlineSeconds: 2, selector, template: template({ "never-ready": "true" }) },
      }),
      get(web, condition("Progressing", "False", "ProgressDeadlineExceeded")),
      get(path("pods"), items(2)),
      patch(web, { spec: { template: { metadata: { annotations: null } } } }),
      get(web, available(2)),
      get(path(`replicasets${apps}`)),
      // An update that gets stuck leaves the old pods alone.
      patch(web, {
        spec: { template: { metadata: { annotations: { "simulation.landscaper.gardener.cloud/exit-code": "3" } } } },
      }),
      get(web, condition("Progressing", "False", "ProgressDeadlineExceeded")),
      get(path(`replicasets${apps}`)),
    ];
  }),
  workloadCase("deployment that recreates", (path) => {
    const web = path(`deployments${apps}`, "/web");
    return [
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: { replicas: 2, revisionHistoryLimit: 1, strategy: { type: "Recreate" }, selector, template: template() },
      }),
      get(web, available(2)),
      patch(web, image("2"), strategic),
      get(web, available(2)),
      patch(web, image("3"), strategic),
      get(web, available(2)),
      get(path(`replicasets${apps}`), items(2)),
    ];
  }),
  workloadCase("deployment without deadline", (path) => {
    const web = path(`deployments${apps}`, "/web");
    return [
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: {
          replicas: 1,
          minReadySeconds: 1,
          progressDeadlineSeconds: 2 ** 31 - 1,
          strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 }, type: "RollingUpdate" },
          selector,
          template: template(),
        },
      }),
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: {
          replicas: 1,
          minReadySeconds: 1,
          progressDeadlineSeconds: 2 ** 31 - 1,
          strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "100%" }, type: "RollingUpdate" },
          selector,
          template: template(),
        },
      }),
      get(web, counts({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 })),
      get(path(`replicasets${apps}`)),
    ];
  }),
  workloadCase("deployment scaled in an update", (path) => {
    const web = path(`deployments${apps}`, "/web");
    const stuck = { template: { metadata: { annotations: { [`${simulationPrefix}never-ready`]: "true" } } } };
    return [
      post(path(`deployments${apps}`), {
        metadata: { name: "web" },
        spec: {
          // Odd: with sets of one size it would matter whether they were made in the same second.
          replicas: 5,
          strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
          selector,
          template: template(),
        },
      }),
      get(web, available(5)),
      patch(web, { spec: stuck }),
      get(web, counts({ replicas: 7, updatedReplicas: 3, availableReplicas: 4, readyReplicas: 4 })),
      get(path(`replicasets${apps}`)),
      patch(web, { spec: { replicas: 9 } }),
      get(web, counts({ replicas: 11, readyReplicas: 6, availableReplicas: 6 })),
      get(path(`replicasets${apps}`)),
      patch(web, { spec: { replicas: 2 } }),
      get(web, counts({ replicas: 3, readyReplicas: 1, availableReplicas: 1 })),
      get(path(`replicasets${apps}`)),
    ];
  }),
  workloadCase("deployment that comes again", (path) => {
    const web = path(`deployments${apps}`, "/web");
    const create = post(path(`deployments${apps}`), {
      metadata: { name: "web" },
      spec: { replicas: 2, selector, template: template() },
    });
    return [
      create,
      get(web, available(2)),
      remove(web, { propagationPolicy: "Orphan" }),
      get(web, (body) => stringAt(body, "reason") === "NotFound"),
      get(path(`replicasets${apps}`)),
      create,
      get(web, available(2)),
      get(path(`replicasets${apps}`)),
      get(path("pods")),
      remove(path(`replicasets${apps}`, "?labelSelector=app=a"), { propagationPolicy: "Orphan" }),
      get(path("pods"), both(running(2), owned)),
    ];
  }),
  workloadCase("replica set", (path) => {
    const set = path(`replicasets${apps}`, "/set");
    return [
      post(path(`replicasets${apps}`), {
        metadata: { name: "set" },
        spec: { replicas: 2, minReadySeconds: 1, selector, template: template() },
      }),
      get(set, counts({ replicas: 2, availableReplicas: 2 })),
      get(path("pods"), items(2)),
      patch(set, { spec: { replicas: 0 } }),
      get(set, counts({ replicas: 0 })),
      get(path("pods"), items(0)),
    ];
  }),
];
