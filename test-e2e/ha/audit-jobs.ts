// What must hold of every object that takes part in the job protocol, whoever has worked on it. Pure.
import type { DeployItem, Execution, Installation, KubeObject } from "@landscaper/api";
import { annotations, labels } from "@landscaper/api";
import type { Seen } from "../src/kits/object-history.ts";

export type JobObject = Installation | Execution | DeployItem;

const describe = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name ?? ""}`;

/** The life of one object: what was wrong with its jobs. */
function auditLife(versions: readonly JobObject[], expectedJobs: number): string[] {
  const faults: string[] = [];
  const given = new Set<string>();
  const finished = new Map<string, string | undefined>();
  let last: { readonly jobID?: string | undefined; readonly jobIDFinished?: string | undefined } = {};
  for (const { status = {} } of versions) {
    const { jobID, jobIDFinished, phase } = status;
    if (jobID !== last.jobID) {
      if (last.jobID !== undefined && !finished.has(last.jobID)) faults.push(`job ${last.jobID} was skipped`);
      if (jobID === undefined || given.has(jobID)) faults.push(`went from job ${last.jobID} back to ${jobID}`);
      else given.add(jobID);
    }
    if (jobIDFinished !== last.jobIDFinished) {
      if (jobIDFinished === undefined || finished.has(jobIDFinished)) faults.push(`finished ${jobIDFinished} again`);
      else finished.set(jobIDFinished, phase);
      if (jobIDFinished !== jobID) faults.push(`finished ${jobIDFinished} in job ${jobID}`);
    } else if (jobID !== undefined && jobID === jobIDFinished && finished.get(jobID) !== phase) {
      faults.push(`went from ${finished.get(jobID)} to ${phase} after the end of job ${jobID}`);
    }
    last = { jobID, jobIDFinished };
  }
  for (const job of given) if (!finished.has(job)) faults.push(`job ${job} was not finished`);
  if (given.size !== expectedJobs) faults.push(`had ${given.size} jobs, not ${expectedJobs}`);
  return faults;
}

/** Whether every object of a history had this number of jobs, finished each of them once, skipped none, and was made once. */
export function findJobFaults(seen: readonly Seen<JobObject>[], expectedJobs: number): string[] {
  const lives = new Map<string, JobObject[]>();
  const uids = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const { type, object } of seen) {
    const { uid = "", name = "" } = object.metadata;
    if (type === "DELETED") faults.push(`${describe(object)} was deleted`);
    lives.set(uid, [...(lives.get(uid) ?? []), object]);
    uids.set(name, (uids.get(name) ?? new Set()).add(uid));
  }
  for (const versions of lives.values()) {
    for (const fault of auditLife(versions, expectedJobs)) {
      faults.push(`${versions[0] === undefined ? "" : describe(versions[0])}: ${fault}`);
    }
  }
  for (const [name, own] of uids) if (own.size > 1) faults.push(`${name} was made ${own.size} times`);
  return faults;
}

/** What an object is for: two of the same purpose are twins. */
function purposeOf({ kind, metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? "";
  const own = metadata.labels ?? {};
  const data = [labels.dataContext, labels.dataKey, labels.dataSource, labels.dataSourceType].map(
    (label) => own[label],
  );
  // Users may have many objects of their own: only those that somebody's controller has made count.
  const isMade = owner !== "" || data.some((label) => label !== undefined);
  const parts = [owner, own[labels.managedName], metadata.annotations?.[annotations.subinstallationName], ...data];
  return `${kind} of ${isMade ? parts.join("/") : metadata.name}`;
}

/** Objects beside one that exists for the same purpose, one line each. */
export function findTwins(objects: readonly KubeObject[]): string[] {
  const first = new Map<string, KubeObject>();
  const twins: string[] = [];
  for (const object of objects) {
    const purpose = purposeOf(object);
    const known = first.get(purpose);
    if (known === undefined) first.set(purpose, object);
    else twins.push(`${describe(object)} is a twin of ${known.metadata.name}`);
  }
  return twins;
}
