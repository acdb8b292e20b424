import { boundText, isFailedPhase, type KubeObject } from "@landscaper/api";

/** Writers of a status are not trusted: a text without a bound would make an event that no server takes. */
const maxTextLength = 256;
const maxErrorLength = 1_024;

/** Kinds whose transitions are published. */
export const eventKinds = ["Installation", "Execution", "DeployItem"] as const;
export type EventKind = (typeof eventKinds)[number];

/** Fields of a stored version of an object that events are made from. */
export interface ObjectVersion {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Empty if absent, like both ids of jobs. */
  readonly phase: string;
  readonly jobID: string;
  readonly jobIDFinished: string;
  /** Error of a failed phase. */
  readonly error?: { readonly reason: string; readonly message: string } | undefined;
}

interface JobStatus {
  readonly phase?: unknown;
  readonly jobID?: unknown;
  readonly jobIDFinished?: unknown;
  readonly lastError?: { readonly reason?: unknown; readonly message?: unknown } | undefined;
}

/** Reads a version. Fields of another type than expected count as absent, and texts are bounded: no object may stop the events of others. */
export function readVersion(object: KubeObject & { readonly status?: JobStatus | undefined }): ObjectVersion {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = object.metadata;
  const { phase, jobID, jobIDFinished, lastError } = object.status ?? {};
  const isFailed = typeof phase === "string" && isFailedPhase(phase);
  return {
    namespace,
    name,
    uid,
    resourceVersion,
    phase: textOf(phase),
    jobID: textOf(jobID),
    jobIDFinished: textOf(jobIDFinished),
    error:
      isFailed && lastError !== undefined
        ? { reason: textOf(lastError.reason), message: textOf(lastError.message, maxErrorLength) }
        : undefined,
  };
}

function textOf(value: unknown, maxLength = maxTextLength): string {
  if (typeof value !== "string") return "";
  if (value.length <= maxLength) return value;
  // A copy: a part of a text would keep the whole text in memory.
  return Buffer.from(boundText(value, maxLength)).toString();
}
