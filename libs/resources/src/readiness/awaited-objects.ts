import type { KubeObject } from "@landscaper/api";
import type { ResourceReference } from "../cluster/resource-reference.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";

/** Objects of a target whose change, coming or going may end what somebody waits for. */
export interface AwaitedObjects {
  readonly cluster: TargetCluster;
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent: all namespaces, or none where the kind has none. */
  readonly namespace?: string | undefined;
  /** Absent: of any name. */
  readonly name?: string | undefined;
  /** Only those that have such labels after the change; the text form of the API. */
  readonly labelSelector?: string | undefined;
  /** They only explain the wait: it need not be polled where they cannot be watched. */
  readonly isOptional?: boolean | undefined;
  /** Called when one of them has changed, or may have. */
  readonly onNews?: (() => void) | undefined;
  /**
   * How soon a change that has led to this object ends the wait, in ms; 0 = at once, undefined = it does not. Default: every change does at once, as a
   * deletion always does, and a change that may have been missed. With it, whole objects are watched in place of their metadata.
   */
  readonly newsAfterMs?: ((object: KubeObject) => number | undefined) | undefined;
}

/** One object, whether it exists or not. */
export function awaitObject(cluster: TargetCluster, reference: ResourceReference): AwaitedObjects {
  const { apiVersion, kind, namespace, name } = reference;
  return { cluster, apiVersion, kind, namespace: namespace === "" ? undefined : namespace, name };
}
