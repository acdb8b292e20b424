import type { UnstructuredObject } from "@landscaper/api";

/** Volumes and claims are held by a finalizer until nobody uses them; see controllers/protection-controller.ts. */
export function withFinalizer(finalizer: string): (object: UnstructuredObject) => UnstructuredObject {
  return (object) => {
    const finalizers = [...new Set([...(object.metadata.finalizers ?? []), finalizer])];
    return { ...object, metadata: { ...object.metadata, finalizers } };
  };
}
