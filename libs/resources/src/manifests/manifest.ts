import type { ManagePolicy, UnstructuredObject } from "@landscaper/api";
import type { JsonObject } from "../json-value.ts";

/** One object of the desired state and what is done with it. */
export interface Manifest {
  /** How the object is treated over its life (deployers.md §3.4). */
  readonly policy: ManagePolicy;
  readonly manifest: UnstructuredObject;
  /** Whether the object may be taken over from another item. */
  readonly adopt?: boolean | undefined;
  /** Annotations that the object gets when it is created, never later. */
  readonly annotateBeforeCreate?: Readonly<Record<string, string>> | undefined;
  readonly annotateBeforeDelete?: Readonly<Record<string, string>> | undefined;
  /** Merged over the live object once everything is ready and exported. */
  readonly patchAfterDeployment?: JsonObject | undefined;
  /** Merged over the live object before it is deleted. */
  readonly patchBeforeDelete?: JsonObject | undefined;
}

/** An entry of the inventory: the wire form `ManagedResourceStatus` (deployers.md §2). */
export interface ManagedResource {
  readonly policy?: ManagePolicy | undefined;
  readonly resource: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
    /** Absent: planned, the creation has not been confirmed. Such an object is only removed if it bears our label. */
    readonly uid?: string | undefined;
  };
  /** The manager under which the object was applied last (strategy `apply`). */
  readonly fieldManager?: string | undefined;
  /** Generation for which a job has waited in vain for a status (`EmptyStatuses`). */
  readonly readyWithoutStatus?: number | undefined;
  readonly annotateBeforeDelete?: Readonly<Record<string, string>> | undefined;
  readonly patchBeforeDelete?: JsonObject | undefined;
}

/** An object that has been dealt with. */
export interface AppliedObject {
  /** Undefined when the object is not managed: policy `ignore`, or released by `fallback`. */
  readonly entry: ManagedResource | undefined;
  /** What the API server returned last, if it is at hand. */
  readonly live: UnstructuredObject | undefined;
  /** Whether it is known that the object was already as it is now. */
  readonly isUnchanged?: boolean | undefined;
  /** Whether the object may have been created, or have got another generation. */
  readonly isNewGeneration?: boolean | undefined;
}
