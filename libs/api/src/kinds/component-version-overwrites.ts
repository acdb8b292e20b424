import type { Static } from "typebox";
import { defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { anyObject, list, object, optional, text } from "../schema/schema-fields.ts";

const componentReferenceSchema = object(
  {
    repositoryContext: optional(anyObject("OCM repository.")),
    componentName: optional(text("Name of the component.")),
    version: optional(text("Version of the component.")),
  },
  "A component version; absent fields mean any, or unchanged.",
);

const overwritesSchema = object(
  {
    overwrites: optional(
      list(
        object({ source: componentReferenceSchema, substitution: componentReferenceSchema }, "An overwrite."),
        "Overwrites in order.",
      ),
    ),
  },
  "Overwrites of component versions.",
);
export type ComponentVersionOverwrite = NonNullable<Static<typeof overwritesSchema>["overwrites"]>[number];

/** Its fields stand at the top level. */
export interface ComponentVersionOverwrites extends KubeObject, Static<typeof overwritesSchema> {}

export const componentVersionOverwritesKind = defineKind<ComponentVersionOverwrites>({
  kind: "ComponentVersionOverwrites",
  plural: "componentversionoverwrites",
  singular: "componentversionoverwrite",
  shortNames: ["compveroverwrite", "cvo"],
  description: "Replaces component versions.",
  columns: [],
  fields: overwritesSchema.properties,
});
