import type { KubeObject } from "@landscaper/api";
import type { ListedObject } from "./decide-cleanup.ts";

const mostNamed = 20;

/** Names the first objects, Pods with their node, and counts the rest. Pure. */
export function describeLeft(left: readonly (ListedObject & { readonly object: KubeObject })[]): string {
  const named = left.slice(0, mostNamed).map(describeObject);
  const more = left.length - named.length;
  return `${named.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

function describeObject({ kind, metadata, object }: ListedObject & { readonly object: KubeObject }): string {
  const node: unknown = Reflect.get(Object(Reflect.get(object, "spec")), "nodeName");
  const finalizers = metadata.finalizers ?? [];
  const details = [
    ...(typeof node === "string" && node !== "" ? [`node ${node}`] : []),
    ...(metadata.deletionTimestamp === undefined ? [] : [`being deleted since ${metadata.deletionTimestamp}`]),
    ...(finalizers.length > 0 ? [`finalizers ${finalizers.join(", ")}`] : []),
  ];
  return `${kind} ${metadata.name ?? ""}${details.length === 0 ? "" : ` (${details.join("; ")})`}`;
}
