import { Type, type Static } from "typebox";
import { column, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { labels } from "../objects/labels.ts";
import { anyJson, localRefSchema, mapOf, object, optional, text } from "../schema/schema-fields.ts";
import { labelPath } from "./data-object.ts";

const targetContentFields = {
  type: text("Type of the target, such as landscaper.gardener.cloud/kubernetes-cluster."),
  config: optional(anyJson("Access data; its shape depends on the type.")),
  secretRef: optional(localRefSchema),
};

export const targetSpecSchema = object(targetContentFields, "Where to deploy; config or secretRef, not both.");
export type TargetSpec = Static<typeof targetSpecSchema>;

/** What an export execution or an Environment gives for a Target that is still to be made. */
export const targetTemplateSchema = object(
  {
    ...targetContentFields,
    labels: optional(mapOf(Type.String(), "Labels of the Target.")),
    annotations: optional(mapOf(Type.String(), "Annotations of the Target.")),
  },
  "A Target to create.",
);
export type TargetTemplate = Static<typeof targetTemplateSchema>;

export interface Target extends KubeObject {
  spec: TargetSpec;
}

export const targetKind = defineKind<Target>({
  kind: "Target",
  plural: "targets",
  singular: "target",
  shortNames: ["tgt", "tg"],
  description: "An environment to deploy into.",
  columns: [
    column("Type", ".spec.type"),
    column("Context", labelPath(labels.dataContext)),
    column("Key", labelPath(labels.dataKey)),
    column("Idx", labelPath(labels.dataIndex)),
    column("TMKey", labelPath(labels.dataTargetMapKey)),
  ],
  fields: { spec: targetSpecSchema },
});
