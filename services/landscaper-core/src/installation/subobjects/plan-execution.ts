import {
  annotations,
  apiVersion,
  decodeDeployItems,
  encodeDeployItems,
  finalizer,
  fromEveryField,
  inheritedAnnotations,
  operations,
  type DeployItemTemplate,
  type Execution,
  type ExecutionSpec,
  type Installation,
} from "@landscaper/api";
import { isSameJson } from "../../is-same-json.ts";
import { omit } from "../../job-status.ts";
import { annotationOf, inheritedFrom, nameOf } from "../../object-reading.ts";
import { plainOwner } from "../imports/import-copies.ts";

/** The same for everything that a rendering depends on within one job. */
export function renderingMark(installation: Installation, importsHash: string): string {
  const { jobID = "" } = installation.status ?? {};
  return `${jobID}/${installation.metadata.generation ?? 0}/${importsHash}`;
}

export type ExecutionPlan =
  | { readonly kind: "keep" }
  | { readonly kind: "create"; readonly execution: Execution }
  | { readonly kind: "update"; readonly execution: Execution }
  /** No item is left (core.md §4.10 fixed). */
  | { readonly kind: "delete"; readonly execution: Execution };

export interface PlanExecutionOptions {
  readonly installation: Installation;
  readonly deployItems: readonly DeployItemTemplate[];
  /** What of their configurations derives from secrets (annotation `sensitiveConfig`). */
  readonly sensitive?: string | undefined;
  /** Digests of the components that they were rendered with (annotation `componentPins`). */
  readonly pins?: string | undefined;
  readonly mark: string;
  readonly existing: Execution | undefined;
}

function buildExecution({ installation, deployItems, sensitive, pins, mark }: PlanExecutionOptions): Execution {
  const { context } = installation.spec;
  return {
    apiVersion,
    kind: "Execution",
    metadata: {
      name: nameOf(installation),
      namespace: installation.metadata.namespace ?? "",
      annotations: {
        // The original sets it always and never reads it (core.md §4.29).
        [annotations.operation]: operations.reconcile,
        [annotations.renderedBy]: mark,
        ...(sensitive === undefined ? {} : { [annotations.sensitiveConfig]: sensitive }),
        ...(pins === undefined ? {} : { [annotations.componentPins]: pins }),
        ...inheritedFrom(installation),
      },
      finalizers: [finalizer],
      ownerReferences: [{ ...plainOwner(installation), controller: true, blockOwnerDeletion: true }],
    },
    spec: fromEveryField<ExecutionSpec>({
      context,
      deployItems: undefined,
      deployItemsCompressed: encodeDeployItems(deployItems),
    }),
  };
}

const itemFields = ["deployItems", "deployItemsCompressed"] as const;

/** Decoded lists are compared: the same items may be compressed differently, and a generation more would redeploy (core.md §4.30, §4.31). */
function isSame(existing: Execution, desired: Execution, options: PlanExecutionOptions): boolean {
  return (
    isSameJson(omit(existing.spec, ...itemFields), omit(desired.spec, ...itemFields)) &&
    isSameJson(inheritedFrom(existing), inheritedFrom(options.installation)) &&
    annotationOf(existing, annotations.sensitiveConfig) === options.sensitive &&
    annotationOf(existing, annotations.componentPins) === options.pins &&
    isSameJson(decodeDeployItems(existing.spec), options.deployItems)
  );
}

/** How the Execution gets the rendered items. It exists only while there are items (core.md §1.3 no. 60). */
export function planExecution(options: PlanExecutionOptions): ExecutionPlan {
  const { existing, deployItems } = options;
  if (deployItems.length === 0) {
    return existing === undefined ? { kind: "keep" } : { kind: "delete", execution: existing };
  }
  const desired = buildExecution(options);
  if (existing === undefined) return { kind: "create", execution: desired };
  if (isSame(existing, desired, options)) return { kind: "keep" };
  const { metadata, status } = existing;
  return {
    kind: "update",
    execution: {
      ...desired,
      metadata: {
        ...metadata,
        annotations: {
          ...omit(
            metadata.annotations ?? {},
            ...inheritedAnnotations,
            annotations.sensitiveConfig,
            annotations.componentPins,
          ),
          ...desired.metadata.annotations,
        },
      },
      ...(status === undefined ? {} : { status }),
    },
  };
}

/** The digests that this job has rendered with and written already; undefined for those of an earlier job. */
export function pinsOfJob(execution: Execution | undefined, { status }: Installation): string | undefined {
  if (execution === undefined) return undefined;
  const isOfJob = annotationOf(execution, annotations.renderedBy)?.startsWith(`${status?.jobID ?? ""}/`) === true;
  return isOfJob ? annotationOf(execution, annotations.componentPins) : undefined;
}

/** The items that this job has written already, when a crash made it start again. */
export function findRenderedItems(
  execution: Execution | undefined,
  mark: string,
): { readonly items: readonly DeployItemTemplate[]; readonly sensitive: string | undefined } | undefined {
  if (execution === undefined || annotationOf(execution, annotations.renderedBy) !== mark) return undefined;
  return {
    items: decodeDeployItems(execution.spec),
    sensitive: annotationOf(execution, annotations.sensitiveConfig),
  };
}
