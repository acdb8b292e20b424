// TargetSyncs as tests make them.
import { apiVersion, finalizer, type TargetSync, type TargetSyncSpec } from "@landscaper/api";

export interface TestTargetSync extends Partial<TargetSyncSpec> {
  readonly name?: string;
  readonly annotations?: Record<string, string>;
  readonly status?: TargetSync["status"];
}

/** To create: from the namespace "source", with the kubeconfig of the Secret "source". */
export function targetSync({ name = "sync", annotations, status, ...spec }: TestTargetSync = {}): TargetSync {
  return {
    apiVersion,
    kind: "TargetSync",
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    spec: { sourceNamespace: "source", secretRef: { name: "source", key: "kubeconfig" }, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

/** As the API server has it, for pure functions. */
export function storedTargetSync(fields: TestTargetSync = {}, metadata: TargetSync["metadata"] = {}): TargetSync {
  const object = targetSync(fields);
  const { name = "" } = object.metadata;
  const stored = { namespace: "ns", uid: `uid-${name}`, generation: 1, resourceVersion: "1", finalizers: [finalizer] };
  return { ...object, metadata: { ...object.metadata, ...stored, ...metadata } };
}
