import {
  isFailedPhase,
  isJobOpen,
  parentOf,
  type DeployItem,
  type Execution,
  type Installation,
} from "@landscaper/api";
import { indexObjects, type ObjectIndex, type TreeObjects } from "../tree/object-index.ts";
import { isSpecChanged, isTriggered } from "../tree/requested-job.ts";

/** An object whose next job may render other deploy items than those that exist. */
type Rendering = Installation | Execution;

const maxUnknowns = 10;

/**
 * Explains why deploy items do not show what a job would change: returns one sentence for each Installation or Execution whose next job may render other
 * items. Examines the owners of the subject, and for an Installation also all objects below it. Stops at the first object with a sentence on each path. Pure.
 */
export function findUnknowns(subject: Installation | DeployItem, objects: TreeObjects): readonly string[] {
  const index = indexObjects(objects);
  for (const above of listAncestors(subject, objects)) {
    const reason = explainUnknown(above, index);
    if (reason !== undefined) return [sentenceOf(above, reason)];
  }
  const found = isInstallation(subject) ? listUnknowns(subject, { index, seen: new Set() }) : [];
  const omitted = found.length - maxUnknowns;
  return omitted <= 0 ? found : [...found.slice(0, maxUnknowns), `... and ${omitted} more`];
}

/** Returns undefined if a job would render the same deploy items as long as no input changes. */
function explainUnknown(object: Rendering, index: ObjectIndex): string | undefined {
  const { metadata, status } = object;
  const { name, namespace } = metadata;
  if (isJobOpen(status)) {
    const phase = (status?.phase ?? "") === "" ? "not started" : status?.phase;
    return `has an open job (${phase}), which may render other deploy items. Repeat the command when the job has ended.`;
  }
  if (metadata.deletionTimestamp !== undefined) return "is being deleted: a job would delete its deploy items";
  if (isInstallation(object) && isTriggered(object))
    return "was triggered, and its job has not started. Repeat the command when the job has ended.";
  if ((status?.jobIDFinished ?? "") === "") return `has had no job, so nothing is rendered. ${triggerHint(object)}`;
  if (isInstallation(object) && isSpecChanged(object)) {
    return `has changed since its last job; its deploy items are still those of that job. ${triggerHint(object)}`;
  }
  if (!isFailedPhase(status?.phase) || hasHandedOver(object, index)) return undefined;
  const kind = isInstallation(object) ? "inst" : "exec";
  return `failed before it had written its deploy items: those that exist are from an earlier job. For the cause, run: landscaper why ${kind}/${name} -n ${namespace}`;
}

/** Whether the last job wrote all objects below. They get its ID after that. */
function hasHandedOver(object: Rendering, index: ObjectIndex): boolean {
  const below = isInstallation(object)
    ? [...index.executionsOf(object), ...index.subinstallationsOf(object)]
    : index.deployItemsOf(object);
  return below.some(({ status }) => status?.jobID === object.status?.jobID);
}

function triggerHint(object: Rendering): string {
  const parent = isInstallation(object) ? parentOf(object)?.name : undefined;
  if (parent !== undefined) return `The next job of its parent, Installation "${parent}", renders them.`;
  if (!isInstallation(object)) return "The next job of its Installation renders them.";
  return `Trigger a job: landscaper reconcile inst/${object.metadata.name} -n ${object.metadata.namespace}`;
}

function isInstallation(object: Rendering | DeployItem): object is Installation {
  return object.kind === "Installation";
}

function sentenceOf({ kind, metadata }: Rendering, reason: string): string {
  return `${kind} "${metadata.name ?? ""}" ${reason}`;
}

interface Walk {
  readonly index: ObjectIndex;
  /** Owner references are user input, so they may form a ring. */
  readonly seen: Set<Rendering>;
}

function listUnknowns(object: Rendering, walk: Walk): readonly string[] {
  const { index, seen } = walk;
  if (seen.has(object)) return [];
  seen.add(object);
  const reason = explainUnknown(object, index);
  if (reason !== undefined) return [sentenceOf(object, reason)];
  if (!isInstallation(object)) return [];
  const below = [...index.executionsOf(object), ...index.subinstallationsOf(object)];
  return below.flatMap((each) => listUnknowns(each, walk));
}

/** Returns the owners of an object, the root first. */
function listAncestors(subject: Installation | DeployItem, { installations, executions }: TreeObjects): Rendering[] {
  const byUid = new Map<string, Rendering>();
  for (const object of [...installations, ...executions]) {
    if (object.metadata.uid !== undefined) byUid.set(object.metadata.uid, object);
  }
  const ancestors = new Set<Rendering>();
  let next = ownerOf(subject, byUid);
  while (next !== undefined && !ancestors.has(next)) {
    ancestors.add(next);
    next = ownerOf(next, byUid);
  }
  return [...ancestors].toReversed();
}

function ownerOf({ metadata }: Rendering | DeployItem, byUid: ReadonlyMap<string, Rendering>): Rendering | undefined {
  for (const { uid } of metadata.ownerReferences ?? []) {
    const owner = byUid.get(uid);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
