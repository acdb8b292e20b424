/** Where an object stands: one row of `landscaper why` each. */
export type ExplainedState =
  /** No job is open, and the last one did what the spec says. */
  | "succeeded"
  /** No job has ever run, and none was asked for. */
  | "never-triggered"
  /** The spec is newer than the last job. */
  | "changed"
  /** A job was asked for, and nobody has begun it. */
  | "triggered"
  | "waits-for-predecessor"
  /** Sub-installations, the Execution, or deploy items are at work. */
  | "waits-for-sub-objects"
  /** The parent has not handed the job out yet. */
  | "waits-for-job"
  /** A deploy item that others have to come before. */
  | "waits-for-deploy-item"
  | "waits-for-pickup"
  | "waits-for-readiness"
  | "working"
  /** Something is wrong, and the job goes on. */
  | "retrying"
  | "failed"
  | "interrupted"
  | "waits-for-successor";

/** Why an object is as it is, with what is behind it. */
export interface Explanation {
  /** As the tree names it, e.g. `DeployItem chart (app-chart-x2v)`. */
  readonly object: string;
  readonly phase: string;
  readonly state: ExplainedState;
  readonly message: string;
  /** What the user can do. */
  readonly hints: readonly string[];
  /** The explanations of what the object waits for, or has failed because of. */
  readonly because: readonly Explanation[];
  /** Of the first explanation: warnings of the object and of all below it, each with the object's name. */
  readonly warnings?: readonly string[];
}
