import type { KubeObject } from "@landscaper/api";
import { parseAllDocuments } from "yaml";

function parseKubeObject(value: unknown): KubeObject {
  const isObject = typeof value === "object" && value !== null;
  if (!isObject || !("apiVersion" in value) || !("kind" in value) || !("metadata" in value)) {
    throw new Error("a document of a manifest has no apiVersion, kind and metadata");
  }
  return value as KubeObject; // the API server checks the rest
}

/** Fills `${name}` placeholders; a value of several lines takes over the indentation that the caller gives it. */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

export function indent(text: string, columns: number): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `${" ".repeat(columns)}${line}`)
    .join("\n");
}

/** The objects of a YAML text with one or more documents. */
export function parseManifests(text: string): KubeObject[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS() as unknown;
    })
    .filter((value) => value !== null)
    .map(parseKubeObject);
}
