import { setTimeout as sleep } from "node:timers/promises";
import { finalizer } from "../../src/kits/contract-names.ts";
import type { Api, Item, Status } from "../../src/kits/plain-api.ts";
import { isConflict } from "../../src/kits/plain-api.ts";
import type { Defect } from "./defects.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface SampleConfig {
  readonly configMap: { readonly name: string; readonly namespace: string };
  /** A text, or the configuration is refused. */
  readonly value: unknown;
  /** A ConfigMap to wait for. */
  readonly gate?: string;
  readonly outcome?: "Failed";
  readonly exports?: Fields;
}

/** The job was ended by somebody else. */
export class JobLost extends Error {}
/** Ends the job; with the codes of the contract. */
export class FinalFailure extends Error {
  readonly codes: readonly string[];
  constructor(message: string, codes: readonly string[]) {
    super(message);
    this.codes = codes;
  }
}

export interface SampleJob {
  readonly api: Api;
  readonly name: string;
  readonly jobID: string;
  readonly signal: AbortSignal;
  /** Where it is from; the deadline counts from there. */
  pickedUpAt: number;
  /** As of the pickup. */
  readonly item: Item;
  has(defect: Defect): boolean;
}

export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
export const isOpen = (status: Status = {}): boolean =>
  (status.jobID ?? "") !== "" && status.jobID !== status.jobIDFinished;
export const isMissing = (error: unknown): boolean => Reflect.get(Object(error), "status") === 404;
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Fields of the status, written while the job is still open. Undefined removes one. */
export async function writeStatus(job: SampleJob, change: (status: Status) => Fields): Promise<Item> {
  for (;;) {
    const item = await job.api.find("DeployItem", job.name);
    if (item?.status === undefined || item.status.jobID !== job.jobID || !isOpen(item.status)) throw new JobLost();
    try {
      return await job.api.putStatus({ ...item, status: { ...item.status, ...change(item.status) } });
    } catch (error) {
      if (isMissing(error)) throw new JobLost();
      if (!isConflict(error)) throw error;
    }
  }
}

/** Repeats until it says "done"; what it throws is reported and tried again, unless it is final. */
export async function untilDone(job: SampleJob, what: string, work: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (job.signal.aborted && !job.has("works on after an interrupt")) throw new JobLost();
    try {
      if (await work()) return;
    } catch (error) {
      const isFinal =
        error instanceof FinalFailure || error instanceof JobLost || job.has("gives up at the first error");
      if (isFinal) throw error;
      await writeStatus(job, (status) => errorFields(job, status, error));
    }
    const timeoutMs = timeoutOf(job);
    if (timeoutMs !== undefined && Date.now() >= job.pickedUpAt + timeoutMs) {
      throw new FinalFailure(`timeout at ${what}`, ["ERR_TIMEOUT"]);
    }
    await sleep(40);
  }
}

function timeoutOf(job: SampleJob): number | undefined {
  const timeout = job.item.spec?.["timeout"];
  const text = typeof timeout === "string" ? timeout : "10m";
  if (text === "none") return job.has("takes no timeout for a timeout of nothing") ? 0 : undefined;
  const [, count = "", unit = ""] = /^(\d+)(s|m)$/.exec(text) ?? [];
  const late = job.has("ends jobs late") ? 8000 : 0;
  return Number(count) * (unit === "m" ? 60_000 : 1000) + late;
}

/** lastError and its history. */
export function errorFields(job: SampleJob, status: Status, error: unknown): Fields {
  const message = textOf(error);
  const codes = error instanceof FinalFailure ? error.codes : [];
  const time = now();
  const reason = job.has("gives no reason") ? "" : "SampleFailed";
  const lastError = { operation: "Sample", reason, message, codes, lastTransitionTime: time, lastUpdateTime: time };
  if (job.has("tells only the last error")) return { lastError };
  const before: readonly unknown[] = Array.isArray(status["lastErrors"]) ? status["lastErrors"] : [];
  const all = [...before, lastError];
  const lastErrors = job.has("keeps all errors")
    ? [...all, ...Array.from({ length: 5 }, () => lastError)]
    : all.slice(-5);
  return { lastError, firstError: status["firstError"] ?? lastError, lastErrors };
}

/** Final phase and jobIDFinished together. */
export async function endJob(job: SampleJob, phase: string, fields: (status: Status) => Fields): Promise<void> {
  const conditions: unknown = job.item.status?.["conditions"];
  const old = job.has("writes the conditions that it has read at the beginning") ? { conditions } : {};
  const time = job.has("forgets when the job was made") ? { jobIDGenerationTime: undefined } : {};
  if (job.has("has a phase of its own")) await writeStatus(job, () => ({ phase: "Finishing" }));
  if (job.has("ends a job in two writes")) await writeStatus(job, (status) => ({ ...fields(status), phase }));
  const isLost = job.has("takes a lost race for a failure") && (await hasChanged(job));
  const failed = (status: Status): Fields => ({
    ...errorFields(job, status, new Error("the item was changed")),
    phase: "Failed",
  });
  await writeStatus(job, (status) => ({
    ...old,
    ...time,
    ...fields(status),
    phase,
    ...(isLost ? failed(status) : {}),
    jobIDFinished: job.jobID,
  }));
}

/** Whether somebody has written metadata or spec since the pickup, or the conditions. */
async function hasChanged({ api, name, item }: SampleJob): Promise<boolean> {
  const live = await api.find("DeployItem", name);
  const textOfItem = (each: Item | undefined): string => {
    const { metadata, spec, status } = each ?? {};
    const { annotations, deletionTimestamp } = metadata ?? {};
    return JSON.stringify([annotations, deletionTimestamp, spec, status?.["conditions"]]);
  };
  return textOfItem(live) !== textOfItem(item);
}

/** Adds the finalizer, or removes it; the metadata of others stay. */
export async function setFinalizer(job: SampleJob, isWanted: boolean): Promise<void> {
  for (;;) {
    const item = await job.api.find("DeployItem", job.name);
    if (item === undefined) return;
    const { finalizers = [], resourceVersion } = item.metadata;
    if (finalizers.includes(finalizer) === isWanted) return;
    const others = job.has("removes all finalizers") ? [] : finalizers.filter((name) => name !== finalizer);
    try {
      const wanted = isWanted ? [...others, finalizer] : others;
      await job.api.patch("DeployItem", job.name, { metadata: { finalizers: wanted, resourceVersion } });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
