import type {
  AllowedRemovals,
  ConditionUpdate,
  ContinuousReconcile,
  DeployItem,
  JsonPath,
  KubeObject,
  ObjectKey,
  ResourceType,
  Warning,
} from "@landscaper/api";
import type { Clock, Lister, Logger } from "@landscaper/controller-runtime";
import type { AwaitedObjects, TargetCluster } from "@landscaper/resources";
import type { RawTarget } from "./target/target-content.ts";

/** JSON object that a deployer keeps in `status.providerStatus`. */
export type ProviderStatus = Readonly<Record<string, unknown>>;

/** Why waiting may be in vain. */
export interface WaitTrouble {
  /** Of docs/errors.md. */
  readonly reason: string;
  /** What users can do; no values. */
  readonly hint: string;
}

/** The job is not done and nothing is wrong: come back. */
export interface Waiting {
  readonly type: "waiting";
  /** What for, as it shall stand in the status and in the timeout's message; no values. */
  readonly for: string;
  /** What is wrong, if something is: for the error of a job that does not end in time. */
  readonly trouble?: WaitTrouble | undefined;
  /** Default: soon at first, then less and less often. With `wakeOn` at the latest then. */
  readonly requeueAfterMs?: number | undefined;
  /**
   * What this pass has looked at and waits for. The library watches it, and the next pass comes at once when it changes, else hardly
   * ever; where the target does not let it watch, the next pass comes as without.
   */
  readonly wakeOn?: readonly AwaitedObjects[] | undefined;
}

export interface Succeeded {
  readonly type: "succeeded";
  /** Written to the export Secret; undefined = the item exports nothing; "unchanged" = what it exported last. */
  readonly exports?: Readonly<Record<string, unknown>> | "unchanged" | undefined;
  /** JSON Pointers into `exports` of what is secret. Undefined: everything is, as far as one knows. */
  readonly sensitiveExports?: readonly JsonPath[] | undefined;
  /** Further conditions of the item; others than these are kept. */
  readonly conditions?: readonly ConditionUpdate[] | undefined;
  /** What is left to do that needs no export: it is done while the exports are written. The job ends after both; when it throws, the pass has failed. */
  readonly settle?: (() => Promise<void>) | undefined;
}

/** What a pass of `reconcile` achieved. Failures are thrown. */
export type Outcome = Succeeded | Waiting;

/** What a pass of `delete` achieved; "pending" = Waiting without words. Only "done" removes the finalizer. */
export type DeleteOutcome = "done" | "pending" | Waiting;

/** Access to the cluster (or whatever else) that the item is deployed to. */
export interface TargetAccess {
  /** The item's target as a cluster. Throws LandscaperError when it has none or its access data are unusable. */
  cluster(): Promise<TargetCluster>;
  /** Another Target of the item's namespace as a cluster. */
  clusterOf(targetName: string): Promise<TargetCluster>;
  /** The access data of a target that is no Kubernetes cluster. They are secret. */
  content(): Promise<unknown>;
  /** The item's target and its access data as text, for deployers that hand them on; undefined when the item has none. They are secret. */
  raw(): Promise<RawTarget | undefined>;
}

/** Objects beside the item in the Landscaper cluster, such as its Context and Secrets. Reads only. */
export interface ItemNamespace {
  /** An object of the item's own namespace, of no other; undefined when it is not there. Throws ApiError or ConnectionError. */
  find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined>;
}

/** What a deployer gets to say what a job would change. */
export interface PreviewContext<Config> {
  /** As of the last status write. */
  readonly item: DeployItem;
  /** Throws LandscaperError where it cannot be read. */
  readonly config: Config;
  /** In a preview its clusters can only be read: writes are sent as dry runs, and `content` is refused. */
  readonly target: TargetAccess;
  readonly landscaper: ItemNamespace;
  /** Reads a DeployItem of any namespace that the process may read, by a request. Undefined: it does not exist. Throws ApiError or ConnectionError. */
  readonly findItem: (key: ObjectKey) => Promise<DeployItem | undefined>;
  /**
   * The cluster that the deployer's process runs in, for what it runs there for an item; the landscaper cluster when no other is given. It may stand in
   * `wakeOn`. In a preview it can only be read.
   */
  readonly host: TargetCluster;
  /** What `reconcile` may remove. Any other removal ends the job before its first write on the target (`emptyingError`, `pruningError`). */
  readonly removals: AllowedRemovals;
  /** What was reported last, by this or an earlier pass or process. */
  readonly providerStatus: ProviderStatus | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted on interrupt, at the deadline and when the process must stop. Every await on I/O takes it. */
  readonly signal: AbortSignal;
}

/** What a deployer gets for one pass over one item. While deleting, `config` may be one that cannot be read. */
export interface DeployContext<Config> extends PreviewContext<Config> {
  /** How long the job, or the run between jobs, may still take (ms); undefined = no limit. */
  readonly remainingMs: () => number | undefined;
  /**
   * Adds a warning to the condition `Warnings` of the item when the job ends. The message has no values. Throws LandscaperError (StrictValidation) if
   * field validation is Strict and refuses the reason.
   */
  readonly warn: (warning: Warning) => void;
  /** Records a Kubernetes event on the item immediately, for what is neither a failure nor a warning; no values. */
  readonly announce: (event: { readonly reason: string; readonly message: string }) => void;
  /**
   * Names the work in progress that may take long, such as a download, for the error of a job whose time ends meanwhile. Undefined after its end. No
   * values.
   */
  readonly noteWork: (what: string | undefined) => void;
  /**
   * Tells that the job has changed something that the provider status does not show, such as an object that was put right: its
   * end becomes a Kubernetes event. The end of a job that changes nothing is none.
   */
  readonly noteChange: () => void;
  /** Takes the status into the next status write: the one that ends the pass. */
  readonly report: (status: ProviderStatus) => void;
  /** Takes conditions of the deployer into the next status write, whatever the pass ends with; others than these are kept. */
  readonly reportConditions: (conditions: readonly ConditionUpdate[]) => void;
  /** Writes what was reported at once, for what must be known before the target is touched. */
  readonly persist: () => Promise<void>;
  /**
   * State of this job in this process, made by `create` at first. It is lost with the process: a deployer may only keep what
   * saves it work.
   */
  readonly memory: <State>(create: () => State) => State;
}

/** What a job has the deployer do. */
export type DeployerWork = "reconcile" | "delete";

/** What a deployer gets when a job has ended without it. Conditions that it reports are written once it is done, or has thrown. */
export interface AbandonContext<Config> extends Omit<DeployContext<Config>, "report" | "persist" | "remainingMs"> {
  /** Which method of the deployer the job was at. */
  readonly work: DeployerWork;
  /** Why the job has ended, and what it was at; no values. */
  readonly problem: string;
}

/** What a deployer gets for its work beside the jobs. */
export interface BackgroundContext {
  /** Items of all types, as the watch has brought them. */
  readonly items: Pick<Lister<DeployItem>, "get" | "list">;
  /** Asks the API server, for what is missing in `items` may only not be there yet; undefined when there is no such item. */
  readonly confirm: (key: ObjectKey) => Promise<DeployItem | undefined>;
  readonly host: TargetCluster;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the process must stop, or loses its Lease. Every await on I/O takes it. */
  readonly signal: AbortSignal;
}

/** What a job would change; no values that are secret. It goes into a Secret, the summary also into condition `Planned`. */
export interface Preview {
  /** One line, such as "1 to create, 3 unchanged". */
  readonly summary: string;
  /** For people, line by line. */
  readonly text: string;
  /** For programs: JSON, an entry for each thing that would change. Empty = nothing would change. */
  readonly changes: readonly unknown[];
  /** Why the job would fail before its first write (`removals`). `changes` are then those of a job that may remove everything. */
  readonly heldBack?: string | undefined;
  /** Details of the answer for programs: short JSON. Its members `from`, `to` and `problem` are masked, as in `changes`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A deployer. The library picks items up, resolves targets, keeps deadlines, reports errors and finishes jobs (seed-002,
 * deployers.md §3.1); the deployer only deploys. Passes may be repeated at any point: they must be idempotent. A LandscaperError
 * with a code such as ERR_CONFIGURATION_PROBLEM or `retry: "never"` ends the job, every other error is tried again.
 */
export interface Deployer<Config = unknown> {
  /** `spec.type` of its items. */
  readonly type: string;
  /** Name in `status.deployer.name`. */
  readonly name: string;
  readonly version: string;
  /** Throws LandscaperError naming the field. `where` names the place for the message. */
  parseConfig(value: unknown, where: string): Config;
  /**
   * What an item has that may not be meant so: fields of its configuration that `parseConfig` passes over, settings without effect. Pure. Told at
   * the pickup; unknown fields end the job there when the user wants that. Without it, nothing is told.
   */
  findWarnings?(item: DeployItem): readonly Warning[];
  /**
   * The provider status that goes with the pickup, before anything is done: what is about to be managed. Pure. Saves the
   * `persist` at the start of `reconcile`.
   */
  plan?(input: {
    readonly item: DeployItem;
    readonly config: Config;
    readonly providerStatus: ProviderStatus | undefined;
  }): ProviderStatus | undefined;
  reconcile(context: DeployContext<Config>): Promise<Outcome>;
  delete(context: DeployContext<Config>): Promise<DeleteOutcome>;
  /**
   * An interrupt or the deadline has ended a job before `reconcile` or `delete` has, or the deadline a run between jobs; a pass does not run any more. For
   * what goes on without the deployer, or says on the target that it is at work. The end waits some seconds for it, until `signal`; what it throws is logged,
   * and nothing comes of it.
   */
  abandon?(context: AbandonContext<Config>): Promise<void>;
  /**
   * Called when an item is deleted without uninstalling it: removes the item's marks from what stays. Ends with `signal`, after some seconds. Errors are logged, and do not
   * block the deletion. The core gives items of types that are not ours no job for this, so it is only called if somebody else does.
   */
  leave?(context: DeployContext<Config>): Promise<void>;
  /**
   * Whether the failed last job of an item has left what `abandon` puts right, and has not yet: it was ended from outside while no process ran. Pure. Without it,
   * only jobs are abandoned that a process has worked on until their end.
   */
  isLeft?(item: DeployItem): boolean;
  /**
   * Whether an item needs a job that has changed nothing of its spec, although it is `updateOnChangeOnly` and has succeeded. Pure.
   */
  isOutdated?(item: DeployItem): boolean;
  /**
   * Whether the user wants an item gone whose deletion has failed: it is deleted once more at once, in a job of the deployer's own
   * (`forcedJobId`). Pure.
   */
  isForced?(item: DeployItem): boolean;
  /**
   * When work is to be repeated between jobs, `every` so long or by `cron`; undefined = never. Pure. A schedule that says nothing
   * fails the next job.
   */
  continuousReconcile?(config: Config): ContinuousReconcile | undefined;
  /** One pass of what is repeated between jobs; `reconcile` when absent. It is cancelled when a job comes. */
  maintain?(context: DeployContext<Config>): Promise<Outcome>;
  /**
   * What a job of the item, as it stands now, would change: for operation "plan", between jobs. Without it such a request is answered
   * with an error. Failures are thrown, and tried again a few times.
   */
  preview?(context: PreviewContext<Config>): Promise<Preview>;
  /** Operations beside "plan" that `preview` answers, of `planOperations`. It finds the operation in the annotations of the item. */
  readonly planOperations?: readonly string[] | undefined;
  /**
   * Work beside the jobs, such as removing what items have left that are gone. It runs while the process holds its Lease, in every replica, until `signal`;
   * when it throws, it is called again after a pause.
   */
  background?(context: BackgroundContext): Promise<void>;
  /** Releases what the deployer has opened, such as connections and threads. The process calls it once when it ends, after all work. */
  close?(): Promise<void>;
}
