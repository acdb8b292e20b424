import type { Value } from "../value/value.ts";
import { pathNames, type Environment } from "./environment.ts";
import { EvaluationFailure, failLocally } from "./failure.ts";
import { requireDeep, valueOf } from "./force.ts";
import { walk } from "./references/walk.ts";

/** `auto`: the size of a pool in BOSH's layout, the sum of the instances of the jobs that use it. */
export function evaluateAuto(environment: Environment): Value {
  const path = pathNames(environment.path);
  const [pools, pool = "", field] = path;
  if (pools !== "resource_pools" || field !== "size" || path.length !== 3) {
    return failLocally("auto only allowed for size entry in resource pools");
  }
  const { root } = environment.document;
  if (root === undefined) return failLocally("no jobs found");
  const document = valueOf(root, ".");
  // Pools in a map are known by their keys.
  const name = pool.startsWith("[") ? walk(document, [pools, pool, "name"], 0) : pool;
  const jobs = valueAt(document, ["jobs"]);
  if (jobs === undefined) return failLocally("no jobs found");
  if (typeof jobs !== "object" || jobs?.kind !== "list") return failLocally("jobs must be a list");
  let size = 0n;
  for (const { value: job } of jobs.items) {
    if (typeof job !== "object" || job?.kind !== "map" || job.cells.get("resource_pool")?.value !== name) continue;
    const instances = job.cells.get("instances")?.value;
    if (typeof instances !== "bigint") return failLocally("instances of a job in the pool must be an integer");
    size += instances;
  }
  return size;
}

/** The complete value at a path; undefined where there is none. */
function valueAt(document: Value, path: readonly string[]): Value | undefined {
  try {
    return requireDeep(walk(document, path, 0), path.join("."));
  } catch (error) {
    if (error instanceof EvaluationFailure && error.isLocal) return undefined;
    throw error;
  }
}
