import { builtin, removeFinalizer } from "../controllers/system-writes.ts";
import { decideDaemonSet } from "./daemon-set/decide-daemon-set.ts";
import { decideDeployment } from "./deployment/decide-deployment.ts";
import { decideDisruptionBudget } from "./disruption-budget/decide-disruption-budget.ts";
import { decideJob } from "./job/decide-job.ts";
import { isTracked, trackingFinalizer } from "./job/job-pods.ts";
import { controllerOf, findController, listControlled } from "./owners.ts";
import { decideReplicaSet } from "./replica-set/decide-replica-set.ts";
import type { SimulationHost } from "./start-controller.ts";
import { startController } from "./start-controller.ts";
import { decideStatefulSet } from "./stateful-set/decide-stateful-set.ts";

const replicaSets = "replicasets.apps";
const revisions = "controllerrevisions.apps";

/** Starts the controllers of all simulated workloads. */
export function startWorkloadControllers(host: SimulationHost): void {
  startDeploymentControllers(host);
  startSetControllers(host);
  startJobController(host);
  startDisruptionController(host);
}

/** Deployments and their ReplicaSets. */
function startDeploymentControllers(host: SimulationHost): void {
  const { context, clock } = host;
  startController(host, {
    storage: "deployments.apps",
    kind: "Deployment",
    owns: [replicaSets],
    adopts: replicaSets,
    decide: (deployment, failure) => {
      const sets = listControlled(context, replicaSets, deployment);
      const pods = sets.flatMap((set) => listControlled(context, "pods", set));
      return decideDeployment({ deployment, replicaSets: sets, pods, failure, nowMs: clock.now() });
    },
    // With the strategy Recreate the last old pod that goes lets the new ones come.
    watches: ["pods"],
    alsoWakes: ({ type, current }) => {
      const set = type === "DELETED" ? findController(context, current.object)?.object : undefined;
      const deployment = set?.kind === "ReplicaSet" ? findController(context, set) : undefined;
      return deployment === undefined ? [] : [deployment];
    },
  });
  startController(host, {
    storage: replicaSets,
    kind: "ReplicaSet",
    owns: ["pods"],
    adopts: "pods",
    decide: (set, failure) =>
      decideReplicaSet({ set, pods: listControlled(context, "pods", set), failure, nowMs: clock.now() }),
  });
}

function startSetControllers(host: SimulationHost): void {
  const { context, clock } = host;
  startController(host, {
    storage: "statefulsets.apps",
    kind: "StatefulSet",
    owns: ["pods", revisions],
    adopts: "pods",
    decide: (set) => {
      const claims = context.store.collection("persistentvolumeclaims").list(set.metadata.namespace ?? "");
      return decideStatefulSet({
        set,
        revisions: listControlled(context, revisions, set),
        pods: listControlled(context, "pods", set),
        claims: new Set(claims.map(({ name }) => name)),
        nowMs: clock.now(),
      });
    },
  });
  startController(host, {
    storage: "daemonsets.apps",
    kind: "DaemonSet",
    owns: ["pods", revisions],
    adopts: "pods",
    decide: (set) =>
      decideDaemonSet({
        set,
        revisions: listControlled(context, revisions, set),
        pods: listControlled(context, "pods", set),
        nodes: context.store
          .collection("nodes")
          .list()
          .map(({ object }) => object),
        nowMs: clock.now(),
      }),
    watches: ["nodes"],
    alsoWakes: () => context.store.collection("daemonsets.apps").list(),
  });
}

function startJobController(host: SimulationHost): void {
  const { context, loop, clock } = host;
  startController(host, {
    storage: "jobs.batch",
    kind: "Job",
    owns: ["pods"],
    decide: (job) => decideJob({ job, pods: listControlled(context, "pods", job), nowMs: clock.now() }),
  });
  // Nobody counts the pods of a Job that is gone.
  context.store.subscribe("pods", ({ type, current: { object, namespace, name } }) => {
    if (type === "DELETED" || object.metadata.deletionTimestamp === undefined || !isTracked(object)) return;
    loop.enqueue(`simulation/orphans/${namespace}/${name}`, () => {
      const current = context.store.collection("pods").get(namespace, name);
      if (current === undefined || controllerOf(current.object)?.kind !== "Job") return;
      if (findController(context, current.object) !== undefined) return;
      removeFinalizer(context, builtin(context, "v1", "pods"), { current, finalizer: trackingFinalizer });
    });
  });
}

function startDisruptionController(host: SimulationHost): void {
  const { context, clock } = host;
  const storage = "poddisruptionbudgets.policy";
  startController(host, {
    storage,
    kind: "PodDisruptionBudget",
    owns: [],
    decide: (budget) =>
      decideDisruptionBudget({
        budget,
        pods: context.store
          .collection("pods")
          .list(budget.metadata.namespace ?? "")
          .map(({ object }) => object),
        workloadOf: (pod) => {
          const owner = findController(context, pod)?.object;
          return (owner && findController(context, owner)?.object) ?? owner;
        },
        nowMs: clock.now(),
      }),
    watches: ["pods", "deployments.apps", "replicasets.apps", "statefulsets.apps"],
    alsoWakes: ({ current }) => context.store.collection(storage).list(current.namespace),
  });
}
