import type { Client } from "@landscaper/controller-runtime";
import type { ObjectReference } from "../object-reference.ts";
import { buildTree } from "../tree/build-tree.ts";
import { formatAge } from "../tree/format-tree.ts";
import type { TreeObjects } from "../tree/object-index.ts";
import { watchTree } from "../tree/watch-tree.ts";
import { UsageError } from "../usage-error.ts";
import { explain } from "../why/explain.ts";
import { formatExplanation } from "../why/format-explanation.ts";
import { findSubject, listTargetNames } from "../why/observe-subject.ts";
import { judgeJob, type AwaitedJob, type JobState } from "./judge-job.ts";
import { listProgress, type SeenPhases } from "./list-progress.ts";

export interface FollowOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly reference: ObjectReference;
  readonly job: AwaitedJob;
  /** Undefined waits for ever. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Tells of a job's progress until it has ended. Throws UsageError when the time is over first, with what the job waits for. */
export async function followJob(options: FollowOptions): Promise<Exclude<JobState, "running">> {
  const { reference, job, timeoutMs, signal, now, write } = options;
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const startedAt = now();
  let seen: SeenPhases | undefined;
  let last: TreeObjects | undefined;
  for await (const objects of watchTree({ ...options, until: timeout, warn: options.writeError })) {
    last = objects;
    const progress = listProgress(treeOf(reference, objects), seen);
    ({ seen } = progress);
    for (const line of progress.lines) write(`${formatAge(now() - startedAt).padStart(5)}  ${line}\n`);
    const state = judgeJob(findSubject(reference, objects), job);
    if (state !== "running") return state;
  }
  if (timeout?.aborted !== true || signal.aborted) {
    throw new UsageError(
      `stopped waiting; the job goes on, and "landscaper tree --watch -n ${options.namespace}" shows it`,
    );
  }
  const why = last === undefined ? "" : `\n${await explainSubject(options, last)}`;
  throw new UsageError(`the job has not ended in time and goes on${why}`.trimEnd());
}

function treeOf({ kind, name }: ObjectReference, objects: TreeObjects) {
  return kind === "Installation" ? buildTree(objects, name) : [];
}

/** Why the object is as it is, as `landscaper why` prints it. */
export async function explainSubject(
  options: Pick<FollowOptions, "client" | "namespace" | "reference" | "now">,
  objects: TreeObjects,
): Promise<string> {
  const subject = findSubject(options.reference, objects);
  if (subject === undefined) return "";
  const targets = await listTargetNames(options);
  return formatExplanation(explain({ subject, objects, targets }, options.now()));
}
