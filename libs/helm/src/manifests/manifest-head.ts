import { fromYaml } from "@landscaper/goyaml";
import { exactScalarText } from "./exact-scalar-text.ts";

/** What Helm reads of a manifest. */
export interface ManifestHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

/** The Go type of a manifest's metadata, as error texts show it. */
const metadataType = String.raw`struct { Name string "json:\"name\""; Annotations map[string]string "json:\"annotations\"" }`;

/**
 * Reads a manifest as Helm does: numbers and booleans become texts, keys may be of any case. Throws an Error with the
 * words of sigs.k8s.io/yaml for invalid YAML, and for values whose types do not fit a manifest. `typePackage`: Go package in these words.
 */
export function readManifestHead(manifest: string, typePackage = "releaseutil"): ManifestHead {
  const root = fromYaml(manifest);
  const head = { apiVersion: "", kind: "", name: "", annotations: new Map<string, string>() };
  const textOf: TextOf = (path, value, place) => {
    if (typeof value === "object" && value !== null) throw mismatch(value, `struct field ${place} of type string`);
    return typeof value === "number" ? exactScalarText(manifest, path, value) : primitiveText(value);
  };
  // Go decodes JSON that is sorted by key: of two spellings the last one wins, of two mistakes the first is told.
  for (const [key, value] of sortedEntries(root, `value of type ${typePackage}.SimpleHead`)) {
    const field = key.toLowerCase();
    if (field === "apiversion") head.apiVersion = textOf([key], value, "SimpleHead.apiVersion");
    else if (field === "kind") head.kind = textOf([key], value, "SimpleHead.kind");
    else if (field === "metadata") Object.assign(head, readMetadata(key, value, textOf));
  }
  return head;
}

/** The text of a value at a path; `place` is the field's name in Go. */
type TextOf = (path: readonly string[], value: unknown, place: string) => string;

function readMetadata(parent: string, metadata: unknown, textOf: TextOf): Pick<ManifestHead, "name" | "annotations"> {
  const annotations = new Map<string, string>();
  let name = "";
  for (const [key, value] of sortedEntries(metadata, `struct field SimpleHead.metadata of type ${metadataType}`)) {
    const field = key.toLowerCase();
    if (field === "name") name = textOf([parent, key], value, ".metadata.name");
    if (field !== "annotations") continue;
    for (const [annotation, text] of sortedEntries(value, `struct field ${annotationsPlace}`)) {
      annotations.set(annotation, textOf([parent, key, annotation], text, ".metadata.annotations"));
    }
  }
  return { name, annotations };
}

const annotationsPlace = ".metadata.annotations of type map[string]string";

function sortedEntries(value: unknown, place: string): [string, unknown][] {
  if (value === null) return [];
  if (typeof value !== "object" || Array.isArray(value)) throw mismatch(value, place);
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function mismatch(value: unknown, place: string): Error {
  return new Error(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonType(value)} into Go ${place}`,
  );
}

function primitiveText(value: unknown): string {
  return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
