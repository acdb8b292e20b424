import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isJsonObject, type JsonObject } from "../json-value.ts";

/** Names of the Secrets that the containers of a pod can read. */
export function secretNamesOf(pod: UnstructuredObject): string[] {
  const containers = containersOf(pod);
  const names = [
    ...containers.flatMap((container) => listAt(container, "env")).map((entry) => nameAt(entry, "secretKeyRef")),
    ...containers
      .flatMap((container) => listAt(container, "envFrom"))
      .map((entry) => fieldAt(entry, "secretRef", "name")),
    ...listAt(pod, "spec", "volumes").flatMap((volume) => [
      fieldAt(volume, "secret", "secretName"),
      ...listAt(volume, "projected", "sources").map((source) => fieldAt(source, "secret", "name")),
    ]),
  ];
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/** Values that stand in the pod itself and that its log may repeat: environment and arguments. */
export function literalsOf(pod: UnstructuredObject): string[] {
  const containers = containersOf(pod);
  const values = containers.flatMap((container) => listAt(container, "env")).map((entry) => fieldAt(entry, "value"));
  const words = containers
    .flatMap((container) => [fieldAt(container, "command"), fieldAt(container, "args")])
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((word) => typeof word === "string")
    // Of "--password=x" the value alone is the secret.
    .flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  return [...values.filter((value) => typeof value === "string"), ...words];
}

function containersOf(pod: UnstructuredObject): JsonObject[] {
  return [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")];
}

function nameAt(entry: JsonObject, source: string): unknown {
  return fieldAt(entry, "valueFrom", source, "name");
}

function listAt(value: unknown, ...path: readonly string[]): JsonObject[] {
  const list = fieldAt(value, ...path);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
