import { labels } from "../objects/labels.ts";
import { column, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { anyJson } from "../schema/schema-fields.ts";

/** A value of the data flow; it stands at the top level. */
export interface DataObject extends KubeObject {
  data?: unknown;
}

/** JSONPath of a label for printer columns, written as the original's CRDs have it: dots and slashes in the key are escaped. */
export function labelPath(key: string): string {
  return `.metadata.labels['${key.replaceAll(/[./]/gu, String.raw`\$&`)}']`;
}

export const dataObjectKind = defineKind<DataObject>({
  kind: "DataObject",
  plural: "dataobjects",
  singular: "dataobject",
  shortNames: ["dobj", "do"],
  description: "A value that Installations import or export.",
  columns: [column("Context", labelPath(labels.dataContext)), column("Key", labelPath(labels.dataKey))],
  fields: { data: anyJson("The value.") },
});
