import type { Static } from "typebox";
import { column, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { anyObject, object, optional, text, time, withoutEffect } from "../schema/schema-fields.ts";

export const syncObjectSpecSchema = object(
  {
    podName: text("Pod that holds the lock; empty when nobody does."),
    kind: text("Kind of the locked object."),
    name: text("Name of the locked object."),
    lastUpdateTime: time("When the lock was taken."),
    prefix: text("Prefix of the name of this object."),
  },
  "A lock.",
);
export type SyncObjectSpec = Static<typeof syncObjectSpecSchema>;

export interface SyncObject extends KubeObject {
  spec: SyncObjectSpec;
  status?: Record<string, unknown>;
}

export const syncObjectKind = defineKind<SyncObject>({
  kind: "SyncObject",
  plural: "syncobjects",
  singular: "syncobject",
  shortNames: ["so"],
  description: "A lock on another object, taken by replicas of the original.",
  withoutEffect: "replicas share their work by Leases",
  columns: [column("PodName", ".spec.podName"), column("Kind", ".spec.kind"), column("Name", ".spec.name")],
  hasStatusSubresource: true,
  fields: {
    spec: syncObjectSpecSchema,
    status: optional(withoutEffect(anyObject("Not used."), "nothing reads the object")),
  },
});
