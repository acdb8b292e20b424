import type { ObjectMeta, UnstructuredObject } from "@landscaper/api";
import { listAt, recordAt } from "../../objects/json.ts";
import { controllerReference } from "../owners.ts";

/** A pod of a workload, made of its template. */
export function makePod(owner: UnstructuredObject, template: unknown, metadata: ObjectMeta): UnstructuredObject {
  const { labels, annotations } = recordAt(template, "metadata");
  const finalizers = listAt(template, "metadata", "finalizers").filter((value) => typeof value === "string");
  const { namespace = "" } = owner.metadata;
  const all = { ...texts(annotations), ...metadata.annotations };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      namespace,
      labels: { ...texts(labels), ...metadata.labels },
      ...(Object.keys(all).length === 0 ? {} : { annotations: all }),
      ...(finalizers.length + (metadata.finalizers ?? []).length === 0
        ? {}
        : { finalizers: [...finalizers, ...(metadata.finalizers ?? [])] }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: recordAt(template, "spec"),
  };
}

/** The entries of a map of texts. */
export function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(recordAt({ value }, "value"));
  return Object.fromEntries(entries.map(([key, text]) => [key, String(text)]));
}
