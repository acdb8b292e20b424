import { get, patch, post, remove } from "../parity/exchange.ts";
import type { ParityCase } from "../parity/exchange.ts";
import { apps, counts, items, running, selector, template, workloadCase } from "./workload-case.ts";

const image = (tag: string) => ({
  spec: { template: { spec: { containers: [{ name: "main", image: `main:${tag}` }] } } },
});
const strategic = "application/strategic-merge-patch+json";
const complete = (replicas: number) =>
  counts({
    replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    updatedReplicas: replicas,
    currentReplicas: replicas,
  });

/** StatefulSets and DaemonSets. */
export const setCases: readonly ParityCase[] = [
  workloadCase("stateful set", (path) => {
    const db = path(`statefulsets${apps}`, "/db");
    return [
      post(path(`statefulsets${apps}`), {
        metadata: { name: "db" },
        spec: {
          serviceName: "db",
          replicas: 2,
          selector,
          template: template(),
          volumeClaimTemplates: [
            {
              metadata: { name: "data", labels: { kind: "data" } },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          ],
        },
      }),
      get(db, complete(2)),
      get(path("pods"), items(2)),
      get(path(`controllerrevisions${apps}`)),
      patch(db, image("2"), strategic),
      get(db, complete(2)),
      get(path(`controllerrevisions${apps}`)),
      patch(db, { spec: { replicas: 1 } }),
      get(db, complete(1)),
      get(path("pods"), items(1)),
      patch(db, { spec: { updateStrategy: { rollingUpdate: { partition: 1 } }, replicas: 3 } }),
      get(db, complete(3)),
      patch(db, image("3"), strategic),
      get(db, counts({ replicas: 3, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 3 })),
      remove(db, { propagationPolicy: "Background" }),
      get(path("pods"), items(0)),
    ];
  }),
  workloadCase("parallel stateful set", (path) => {
    const db = path(`statefulsets${apps}`, "/db");
    return [
      post(path(`statefulsets${apps}`), {
        metadata: { name: "db" },
        spec: {
          serviceName: "db",
          replicas: 2,
          podManagementPolicy: "Parallel",
          ordinals: { start: 5 },
          updateStrategy: { type: "OnDelete" },
          selector,
          template: template({ "never-ready": "true" }),
        },
      }),
      get(db, counts({ replicas: 2 })),
      get(path("pods"), running(2)),
      patch(db, image("2"), strategic),
      get(db, counts({ replicas: 2, updatedReplicas: 0 })),
      remove(path("pods", "/db-5")),
      get(db, counts({ replicas: 2, updatedReplicas: 1 })),
    ];
  }),
  workloadCase("daemon set", (path) => {
    const agent = path(`daemonsets${apps}`, "/agent");
    const everywhere = counts({
      desiredNumberScheduled: 1,
      currentNumberScheduled: 1,
      updatedNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
    });
    return [
      post(path(`daemonsets${apps}`), { metadata: { name: "agent" }, spec: { selector, template: template() } }),
      get(agent, everywhere),
      get(path("pods"), items(1)),
      get(path(`controllerrevisions${apps}`)),
      patch(agent, image("2"), strategic),
      get(agent, everywhere),
      get(path("pods"), items(1)),
      patch(agent, {
        spec: {
          template: { metadata: { annotations: { "simulation.landscaper.gardener.cloud/never-ready": "true" } } },
        },
      }),
      get(agent, counts({ updatedNumberScheduled: 1, numberUnavailable: 1 })),
      patch(agent, { spec: { template: { spec: { nodeSelector: { no: "where" } } } } }),
      get(path("pods"), items(0)),
      get(agent, counts({ desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 0 })),
    ];
  }),
  workloadCase("daemon set with surge", (path) => {
    const agent = path(`daemonsets${apps}`, "/agent");
    const ready = counts({ desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 });
    return [
      post(path(`daemonsets${apps}`), {
        metadata: { name: "agent" },
        spec: {
          selector,
          template: template(),
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        },
      }),
      get(agent, ready),
      patch(agent, image("2"), strategic),
      get(agent, ready),
      get(path("pods"), items(1)),
    ];
  }),
  workloadCase("daemon set updated by hand", (path) => {
    const agent = path(`daemonsets${apps}`, "/agent");
    const script = { metadata: { labels: { app: "a", of: "agent" } } };
    return [
      post(path(`daemonsets${apps}`), {
        metadata: { name: "agent" },
        spec: { selector, template: { ...template(), ...script }, updateStrategy: { type: "OnDelete" } },
      }),
      get(agent, counts({ desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 })),
      patch(agent, image("2"), strategic),
      get(agent, counts({ desiredNumberScheduled: 1, updatedNumberScheduled: 0, numberAvailable: 1 })),
      remove(path("pods", "?labelSelector=of=agent")),
      get(agent, counts({ desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 })),
      get(path("pods"), running(1)),
    ];
  }),
  workloadCase("stateful set that gets stuck", (path) => {
    const db = path(`statefulsets${apps}`, "/db");
    return [
      post(path(`statefulsets${apps}`), {
        metadata: { name: "db" },
        spec: { serviceName: "db", replicas: 2, minReadySeconds: 1, selector, template: template() },
      }),
      get(db, complete(2)),
      patch(db, {
        spec: {
          template: { metadata: { annotations: { "simulation.landscaper.gardener.cloud/never-ready": "true" } } },
        },
      }),
      get(db, counts({ replicas: 2, readyReplicas: 1, availableReplicas: 1, updatedReplicas: 1, currentReplicas: 1 })),
      // The counts are the same before the container of the new pod has started.
      get(path("pods"), running(2)),
      // The broken pod is in the way of its own repair, until somebody deletes it.
      patch(db, { spec: { template: { metadata: { annotations: null } } } }),
      get(db, counts({ replicas: 2, readyReplicas: 1, availableReplicas: 1 })),
      get(path(`controllerrevisions${apps}`)),
      remove(path("pods", "/db-1")),
      get(db, complete(2)),
      get(path("pods"), running(2)),
    ];
  }),
];
