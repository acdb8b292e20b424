import type { KnownObjects, WrittenObjects } from "../host/host-objects.ts";
import type { FailingSince } from "./failing-start.ts";
import type { ReportedPod } from "./report-pace.ts";
import type { RunInputs } from "./run-inputs.ts";

/** What a process keeps of a run, to save requests. */
export interface RunMemory {
  known?: KnownObjects;
  /** Objects written for an attempt: after a failed pass, the next one continues from there. */
  written?: { readonly attempt: string; readonly objects: WrittenObjects; readonly graceSeconds: number };
  inputs?: RunInputs;
  reported?: ReportedPod;
  failing?: FailingSince | undefined;
  /** uid of a Pod that a watch has seen at its end. */
  ended?: string;
  /** Kinds of which a deletion has removed the objects. */
  removed?: { readonly jobID: string; readonly kinds: Set<string> };
}
