import type { DeployItem, DeployItemTemplate, ExecutionPhase, LandscaperError } from "@landscaper/api";

type FinalPhase = Extract<ExecutionPhase, "Succeeded" | "Failed" | "DeleteFailed">;

/** What one step of a pass does. A pass takes steps until one of them rests. */
export type ExecutionDecision =
  | { readonly kind: "rest" }
  | { readonly kind: "add-finalizer" }
  /** Opens the job that uninstalls an Execution without Installation. */
  | { readonly kind: "start-deletion" }
  | { readonly kind: "interrupt" }
  | { readonly kind: "enter"; readonly phase: "Init" | "InitDelete" }
  /** Creates, updates and deletes DeployItems until they are as the spec says. */
  | { readonly kind: "apply-items" }
  /** Gives the job to items. */
  | { readonly kind: "trigger"; readonly items: readonly DeployItem[] }
  /** Items that the cache lacks are looked up live. */
  | { readonly kind: "confirm-items"; readonly items: readonly DeployItemTemplate[] }
  | { readonly kind: "wait"; readonly message: string }
  | { readonly kind: "advance"; readonly phase: ExecutionPhase }
  /** Collects the exports. */
  | { readonly kind: "complete" }
  | { readonly kind: "delete-items" }
  | { readonly kind: "finish"; readonly phase: FinalPhase; readonly error?: LandscaperError }
  | { readonly kind: "release" };
