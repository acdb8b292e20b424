// What the main thread and the threads that render say to each other: plain data alone.
import type { Execution, FieldValidation, Installation, Warning } from "@landscaper/api";
import type { IndexEntry, IndexQuery } from "@landscaper/chart-source";
import type { EntropySeed, ImportReading, LoadOptions } from "@landscaper/blueprint";
import type { ComponentRequest, ComponentSelection, Supplies, WantedSignature } from "@landscaper/components";
import type { Packed } from "@landscaper/threads";
import type { CopyNames } from "../installation/imports/import-copies.ts";
import type { ExecutionPlan } from "../installation/subobjects/plan-execution.ts";
import type { ClusterCall } from "../template-host/cluster-call.ts";
import type { ImportObjects } from "./import-objects.ts";

/** What everything depends on that is rendered in a job. */
export interface JobInput {
  /** With the status of the pass. */
  readonly installation: Installation;
  readonly imports: ImportObjects;
  readonly options: LoadOptions;
  readonly entropy: EntropySeed;
  /** What templates have asked of clusters in this job, by call. */
  readonly answers: readonly (readonly [string, unknown])[];
  /** Start of the job, the time that templates see. */
  readonly nowMs: number;
  readonly components: ComponentInput;
  readonly pins: PinInput;
}

/** What the components of a job must be (docs/reference/components.md#pins). Texts of annotations. */
export interface PinInput {
  /** Of a subinstallation: what its parent has rendered. */
  readonly parent: string | undefined;
  /** What an earlier attempt of this job has rendered. */
  readonly own: string | undefined;
  /** Whether a subinstallation may use only what was verified with its root. */
  readonly mustBeVerified: boolean;
}

export const noPins: PinInput = { parent: undefined, own: undefined, mustBeVerified: false };

/** The component of an Installation, with what has been fetched for the job so far. */
export interface ComponentInput {
  /** Undefined for an Installation without a component. */
  readonly selection: ComponentSelection | undefined;
  readonly supplies: Supplies;
  /** The signature that must cover the component; undefined where nothing is verified. */
  readonly verification?: WantedSignature | undefined;
}

/** What ends a task that lacks something of components: it is fetched by the main thread, then the task begins anew, so that no thread waits for a registry. */
export interface LackOfSupplies {
  readonly lacking: readonly ComponentRequest[];
}

export type RenderTask =
  | {
      readonly type: "init";
      readonly job: JobInput;
      readonly execution: Execution | undefined;
      readonly fieldValidation: FieldValidation;
    }
  | { readonly type: "complete"; readonly job: JobInput; readonly scope: ScopeInput }
  | (Pick<JobInput, "installation" | "imports" | "options"> & { readonly type: "hash" })
  /** Finds a chart in the index of a Helm repository. */
  | { readonly type: "index"; readonly index: Uint8Array; readonly query: IndexQuery }
  | { readonly type: "collect"; readonly exports: readonly ItemExport[] }
  | { readonly type: "mask"; readonly job: JobInput; readonly texts: readonly string[] };

/** What export executions see beside the imports. */
export interface ScopeInput {
  /** Whether the objects are all those of the scope, of which those count that the job's copies of imports are called like. */
  readonly isSelectedByName: boolean;
  /** The DataObject with the exports of the deploy items, if there is one. */
  readonly itemExports: Packed | undefined;
  readonly dataObjects: readonly Packed[];
  readonly targets: readonly Packed[];
}

/** The export Secret of a deploy item: the text under its key, in base64. */
export interface ItemExport {
  readonly item: string;
  readonly secret: string;
  readonly text: string;
}

/** The state of a template execution that has changed, for its Secret. */
export interface StateSecret {
  readonly name: string;
  readonly text: string;
}

/** DataObjects and Targets to be written. */
export interface PackedScope {
  readonly dataObjects: readonly Packed[];
  readonly targets: readonly Packed[];
}

interface Rendered {
  /** Private keys that templates have made. */
  readonly keys: Readonly<Record<string, string>>;
  readonly states: readonly StateSecret[];
}

export interface InitResult extends Rendered, Pick<ImportReading, "hash" | "summary"> {
  readonly copies: PackedScope;
  /** What overwrites have made of the Installation's component reference, for its condition. */
  readonly overwritten: string | undefined;
  /** Templates of subinstallations with what they lead to (PlannedTemplate), each packed by itself. */
  readonly templates: readonly Packed[];
  readonly execution: ExecutionPlan;
  readonly hasItems: boolean;
  readonly warnings: readonly Warning[];
}

export type CompleteResult =
  /** The imports are not those that the job has begun with; nothing was rendered. */
  | { readonly isChanged: true; readonly hash: string }
  | (Rendered & {
      readonly isChanged: false;
      readonly exports: PackedScope;
      readonly copies: CopyNames;
      /** Nothing in them is secret. */
      readonly warnings: readonly Warning[];
    });

/** What comes of the tasks of a job that lack nothing. */
export interface JobResults {
  readonly init: InitResult;
  readonly complete: CompleteResult;
}

export interface CollectResult {
  /** The exports of all items by item name. */
  readonly values: Packed;
  readonly isEmpty: boolean;
  /** Annotation of the DataObject. */
  readonly hash: string;
}

/** What comes of the tasks. */
export interface RenderResults {
  readonly index: IndexEntry;
  readonly init: JobResults["init"] | LackOfSupplies;
  readonly complete: JobResults["complete"] | LackOfSupplies;
  readonly hash: string;
  readonly collect: CollectResult;
  readonly mask: readonly string[];
}

/** What a thread asks the main thread while it renders. */
export type RenderQuestion =
  /** Texts of the Secrets that keep states, in base64; undefined for those that do not exist. */
  | { readonly type: "states"; readonly names: readonly string[] }
  /** What a template function asks of a cluster. `key` is its name and arguments. */
  | { readonly type: "cluster"; readonly key: string; readonly call: ClusterCall };
