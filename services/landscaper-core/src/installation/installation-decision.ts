import type { AutomaticReconcileStatus, InstallationPhase, LandscaperError, Warning } from "@landscaper/api";
import type { Child } from "./observed-installation.ts";

type FinalPhase = Extract<InstallationPhase, "Succeeded" | "Failed" | "DeleteFailed">;

/** What one step of a pass does. A pass takes steps until one of them rests. */
export type InstallationDecision =
  /** Nothing to do until something changes, or until a time (ms since the epoch). */
  | { readonly kind: "rest"; readonly untilMs?: number }
  /** Something has changed; more changes may come for `waitMs`. */
  | { readonly kind: "listen"; readonly waitMs: number }
  /** Reads the imported values, to see whether they have changed. */
  | { readonly kind: "read-imports" }
  /** Finalizer, context default, and the removal of an operation annotation, in one write. */
  | { readonly kind: "write-metadata"; readonly removesOperation: boolean }
  /** Replaces the error of the last job. */
  | { readonly kind: "correct-error"; readonly error: LandscaperError }
  /** Ready and its kin lag behind a change of the spec. */
  | { readonly kind: "refresh-conditions" }
  /** With the count of automaticReconcile that belongs to the job, which is none for jobs that somebody has asked for. */
  | {
      readonly kind: "start-job";
      readonly automatic: AutomaticReconcileStatus | undefined;
      /** Of the imported values, where they have been read. */
      readonly importsHash?: string;
    }
  | { readonly kind: "record-automatic"; readonly automatic: AutomaticReconcileStatus | undefined }
  /** Tells of something between jobs. */
  | { readonly kind: "warn"; readonly warning: Warning }
  /** The job begins its work; deletion has phases of its own. */
  | { readonly kind: "enter"; readonly phase: "Init" | "InitDelete" }
  | { readonly kind: "interrupt" }
  | { readonly kind: "trigger-dependents"; readonly names: readonly string[] }
  | { readonly kind: "withdraw-exports" }
  /** Imports, rendering, sub-objects. */
  | { readonly kind: "initialise" }
  | { readonly kind: "advance"; readonly phase: InstallationPhase }
  /** Gives the job to children; the status is stored before. */
  | { readonly kind: "hand-over"; readonly children: readonly Child[] }
  /** Children that the caches lack are looked up live. */
  | { readonly kind: "confirm-children"; readonly children: readonly Pick<Child, "kind" | "name">[] }
  /** Blocks: the status is stored; a watch wakes the key. */
  | { readonly kind: "wait"; readonly message: string; readonly error?: LandscaperError }
  /** Exports. */
  | { readonly kind: "complete" }
  | { readonly kind: "delete-children" }
  /** The job ends; without error and not Succeeded the failed children say why. */
  | { readonly kind: "finish"; readonly phase: FinalPhase; readonly error?: LandscaperError }
  /** Takes the finalizer off. */
  | { readonly kind: "release" };
