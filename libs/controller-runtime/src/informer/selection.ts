import type { KubeObject } from "@landscaper/api";
import type { InformerOptions } from "../controller-interface.ts";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

type SelectionOptions = Pick<
  InformerOptions<KubeObject>,
  "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly"
>;

/** Which objects of a kind an informer holds. */
export interface Selection {
  /** For list and watch. */
  readonly query: SelectionOptions;
  /** "unknown" when only the API server can tell (a field selector on other than name and namespace). */
  matches(object: KubeObject): "yes" | "no" | "unknown";
}

export function createSelection(options: SelectionOptions): Selection {
  const { namespace, labelSelector, fieldSelector, metadataOnly } = options;
  const labels = parseLabelSelector(labelSelector ?? "");
  const fields = parseFieldSelector(fieldSelector ?? "");
  return {
    query: { namespace, labelSelector, fieldSelector, metadataOnly },
    matches: ({ metadata }) => {
      if (namespace !== undefined && metadata.namespace !== namespace) return "no";
      if (!matchesLabels(labels, metadata.labels)) return "no";
      if (fields === undefined) return "unknown";
      return fields.every(({ field, value }) => metadata[field] === value) ? "yes" : "no";
    },
  };
}

interface FieldRequirement {
  readonly field: "name" | "namespace";
  readonly value: string;
}

/** Undefined when it holds a requirement that cannot be judged here. */
function parseFieldSelector(text: string): readonly FieldRequirement[] | undefined {
  const requirements: FieldRequirement[] = [];
  for (const part of text.split(",").filter((part) => part !== "")) {
    const match = /^metadata\.(name|namespace)={1,2}([^=!]*)$/.exec(part.trim());
    if (match === null) return undefined;
    requirements.push({ field: match[1] === "name" ? "name" : "namespace", value: match[2] ?? "" });
  }
  return requirements;
}
