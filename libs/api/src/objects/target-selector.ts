import { Type, type Static } from "typebox";
import { list, object, objectRefSchema, optional, text } from "../schema/schema-fields.ts";

/** Operators of Kubernetes label requirements (core.md §3.4). */
export const selectorOperators = ["=", "==", "!=", "in", "notin", "exists", "!", "gt", "lt"] as const;

export const selectorRequirementSchema = object(
  {
    key: text("Key of the annotation or label."),
    operator: text(`One of ${selectorOperators.join(" ")}.`),
    values: optional(list(Type.String(), "Values to compare with.")),
  },
  "A requirement.",
);
export type SelectorRequirement = Static<typeof selectorRequirementSchema>;

export const targetSelectorSchema = object(
  {
    targets: optional(list(objectRefSchema, "The target is one of these.")),
    annotations: optional(list(selectorRequirementSchema, "The target's annotations fulfil all of these.")),
    labels: optional(list(selectorRequirementSchema, "The target's labels fulfil all of these.")),
  },
  "All parts must hold; of a list of selectors one must.",
);
/** Which targets a deployer instance acts for (deployers.md §1.1). */
export type TargetSelector = Static<typeof targetSelectorSchema>;
