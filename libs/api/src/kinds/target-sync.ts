import { Type, type Static } from "typebox";
import { defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { flag, int64, list, localRefSchema, object, optional, text, time } from "../schema/schema-fields.ts";

export const targetSyncSpecSchema = object(
  {
    sourceNamespace: text("Namespace to read from."),
    secretRef: localRefSchema,
    createTargetToSource: optional(flag("Make a Target for the source cluster, too.")),
    targetToSourceName: optional(text("Name of that Target; sourceNamespace by default.")),
    secretNameExpression: optional(text("Secrets to take: * or a regular expression.")),
    shootNameExpression: optional(text("Gardener shoots to take: * or a regular expression.")),
    tokenRotation: optional(object({ enabled: optional(flag("Renew the token.")) }, "Rotation of the token.")),
  },
  "Which clusters to make Targets for.",
);
export type TargetSyncSpec = Static<typeof targetSyncSpecSchema>;

export const targetSyncStatusSchema = object(
  {
    observedGeneration: optional(int64("Generation of the last run.")),
    lastUpdateTime: optional(time("When the last run ended.")),
    lastErrors: optional(list(Type.String(), "Errors of the last run.")),
    lastTokenRotationTime: optional(time("When the token was renewed last.")),
  },
  "State of the TargetSync.",
);
export type TargetSyncStatus = Static<typeof targetSyncStatusSchema>;

export interface TargetSync extends KubeObject {
  spec: TargetSyncSpec;
  status?: TargetSyncStatus;
}

export const targetSyncKind = defineKind<TargetSync>({
  kind: "TargetSync",
  plural: "targetsyncs",
  singular: "targetsync",
  shortNames: ["tgs"],
  description: "Makes Targets from Secrets or Gardener shoots of another cluster.",
  columns: [],
  hasStatusSubresource: true,
  fields: { spec: targetSyncSpecSchema, status: optional(targetSyncStatusSchema) },
});
