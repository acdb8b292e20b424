import { criticalProblemsName, formatKey, resources } from "@landscaper/api";
import {
  describeError,
  isAlreadyExists,
  isConflict,
  type Client,
  type Manager,
  type Reconcile,
} from "@landscaper/controller-runtime";
import { addProblem, describeFault, isFault, type Problem } from "./add-problem.ts";

/** The pod that problems are told of, in its own namespace. */
export interface PodIdentity {
  readonly name: string;
  readonly namespace: string;
  /** Of the cluster that the pod runs in. */
  readonly client: Client;
}

/** A fault is not over in a moment; a change of the object is looked at before (core.md §1.1 no. 24). */
const pauseMs = 5 * 60_000;
const maxAttempts = 5;

/** The manager whose controllers survive faults of our code: each is noted where operators look, and its object rests for a while. */
export function reportProblems(manager: Manager, pod: PodIdentity): Manager {
  const { log, clock } = manager;
  const guard =
    (controller: string, reconcile: Reconcile): Reconcile =>
    async (key, signal, slot) => {
      try {
        return await reconcile(key, signal, slot);
      } catch (error) {
        if (signal.aborted || !isFault(error)) throw error;
        const object = formatKey(key);
        log.error({ controller, object, error: describeError(error) }, "a fault of the Landscaper; the object rests");
        const description = describeFault(error, { controller, object });
        await store(manager, pod, { podName: pod.name, at: new Date(clock.now()), description });
        return { requeueAfterMs: pauseMs };
      }
    };
  return {
    ...manager,
    get httpUrl() {
      return manager.httpUrl;
    },
    addController: (options) =>
      manager.addController({ ...options, reconcile: guard(options.name, options.reconcile) }),
  };
}

/** Never throws: that a problem cannot be told is no reason for another one. */
async function store({ log }: Manager, { namespace, client }: PodIdentity, problem: Problem): Promise<void> {
  const type = resources.criticalProblems;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      const existing = await client.find(type, { namespace, name: criticalProblemsName });
      const object = addProblem(existing, namespace, problem);
      await (existing === undefined ? client.create(type, object) : client.update(type, object));
      return;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) continue;
      log.error({ error: describeError(error) }, "a critical problem cannot be stored");
      return;
    }
  }
}
