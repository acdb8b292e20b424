import { gunzipSync, gzipSync } from "node:zlib";
import { parseJson } from "@landscaper/json";
import { Type } from "typebox";
import { LandscaperError } from "../errors/error.ts";
import { goJsonStringify } from "../values/go-json.ts";
import { deployItemTemplateSchema, type DeployItemTemplate, type ExecutionSpec } from "../kinds/execution.ts";
import { createParser } from "../schema/parse.ts";

/** Phases of an Installation (core.md §2.3). */
export const installationPhases = {
  init: "Init",
  cleanupOrphaned: "CleanupOrphaned",
  objectsCreated: "ObjectsCreated",
  progressing: "Progressing",
  completing: "Completing",
  succeeded: "Succeeded",
  failed: "Failed",
  initDelete: "InitDelete",
  triggerDelete: "TriggerDelete",
  deleting: "Deleting",
  deleteFailed: "DeleteFailed",
} as const;
export type InstallationPhase = (typeof installationPhases)[keyof typeof installationPhases];

/** Phases of an Execution (core.md §2.5). */
export const executionPhases = {
  init: "Init",
  progressing: "Progressing",
  completing: "Completing",
  succeeded: "Succeeded",
  failed: "Failed",
  initDelete: "InitDelete",
  deleting: "Deleting",
  deleteFailed: "DeleteFailed",
} as const;
export type ExecutionPhase = (typeof executionPhases)[keyof typeof executionPhases];

/** Phases of a DeployItem (core.md §2.7); Completing is reserved. */
export const deployItemPhases = {
  init: "Init",
  progressing: "Progressing",
  completing: "Completing",
  succeeded: "Succeeded",
  failed: "Failed",
  initDelete: "InitDelete",
  deleting: "Deleting",
  deleteFailed: "DeleteFailed",
} as const;
export type DeployItemPhase = (typeof deployItemPhases)[keyof typeof deployItemPhases];

/** What the job protocol needs of any status. */
export interface JobStatus {
  phase?: string | undefined;
  jobID?: string | undefined;
  jobIDFinished?: string | undefined;
}

/** The status as it is written: the API server requires a generation, and 0 says that no job has worked on any. */
export function withGeneration<S extends { observedGeneration?: number }>(status: S): S {
  return status.observedGeneration === undefined ? { ...status, observedGeneration: 0 } : status;
}

/** Phases in which a job ends. */
export const finalPhases: readonly string[] = ["Succeeded", "Failed", "DeleteFailed"];

/** Whether a job has ended with this phase; the empty phase of a new object is not final. */
export function isFinalPhase(phase: string | undefined): boolean {
  return phase !== undefined && finalPhases.includes(phase);
}

/** Whether a job in this phase failed. */
export function isFailedPhase(phase: string | undefined): boolean {
  return phase === "Failed" || phase === "DeleteFailed";
}

/** Whether a job in this phase deletes. */
export function isDeletionPhase(phase: string | undefined): boolean {
  return phase === "InitDelete" || phase === "TriggerDelete" || phase === "Deleting" || phase === "DeleteFailed";
}

/** Whether there is work: a job was given that has not ended. */
export function isJobOpen(status: JobStatus | undefined): boolean {
  return (status?.jobID ?? "") !== (status?.jobIDFinished ?? "");
}

/** Whether only a running job has this phase: a deployer has picked the job of an item up. */
export function isJobAtWork(phase: string | undefined): boolean {
  return (phase ?? "") !== "" && !isFinalPhase(phase);
}

/** Guards against archives that explode, on the main thread of the core; each item alone may have 1.5 MiB. */
const maxDecodedBytes = 16 * 1024 * 1024;

/** `Execution.spec.deployItemsCompressed`: base64 of gzip of JSON; equal items give equal text (core.md §3.4). */
export function encodeDeployItems(items: readonly DeployItemTemplate[]): string {
  const json = Buffer.from(goJsonStringify(items), "utf8");
  if (json.byteLength <= maxDecodedBytes) return gzipSync(json).toString("base64");
  throw new LandscaperError({
    message: `all deploy items together have ${Math.ceil(json.byteLength / 1024)} KiB of JSON: expected at most ${maxDecodedBytes / 1024}`,
    reason: "ObjectTooLarge",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "split them over several installations",
    retry: "never",
  });
}

function undecodable(cause: unknown): LandscaperError {
  return new LandscaperError({
    message: "spec.deployItemsCompressed: expected base64 of gzip of a JSON list of deploy items, at most 16 MiB of it",
    reason: "InvalidDeployItems",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    cause,
  });
}

/** The API server checks the plain form only. */
const parseTemplates = createParser<DeployItemTemplate[]>(Type.Array(deployItemTemplateSchema), "list of deploy items");

function parseDeployItems(compressed: string): DeployItemTemplate[] {
  let value: unknown;
  try {
    const bytes = gunzipSync(Buffer.from(compressed, "base64"), { maxOutputLength: maxDecodedBytes });
    value = parseJson(bytes.toString("utf8"));
  } catch (error) {
    throw undecodable(error);
  }
  return parseTemplates(value ?? [], "spec.deployItemsCompressed");
}

/** The deploy items of an Execution in either form; the compressed one wins. Throws LandscaperError when it is damaged. */
export function decodeDeployItems(spec: ExecutionSpec): DeployItemTemplate[] {
  const compressed = spec.deployItemsCompressed ?? "";
  return compressed === "" ? (spec.deployItems ?? []) : parseDeployItems(compressed);
}
