import type { ReleaseObject } from "@landscaper/helm-release";
import { referenceTo, type ManagedResource } from "@landscaper/resources";

/** The kinds that a release is waited for by default, and that its status lists (deployers.md §1.3 "managedResources"). */
const workloadKinds: ReadonlySet<string> = new Set([
  "/Pod",
  "/ReplicationController",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "apps/DaemonSet",
]);

export function isWorkload({ type }: ReleaseObject): boolean {
  return workloadKinds.has(`${type.group}/${type.kind}`);
}

export function workloadsOf(objects: readonly ReleaseObject[]): ManagedResource[] {
  return objects.filter(isWorkload).map(({ object }) => ({ policy: "manage", resource: referenceTo(object) }));
}
