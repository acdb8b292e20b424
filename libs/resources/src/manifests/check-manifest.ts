import { typeWord } from "@landscaper/json";
import { canBeName } from "@landscaper/controller-runtime";
import { isJsonObject } from "../json-value.ts";

/** A defect of a manifest, with the path to it from the manifest's root. */
export interface ManifestProblem {
  readonly path: string;
  readonly expected: string;
  /** What is there: the type of the value, never the value. */
  readonly found: string;
}

/** Finds what makes it impossible to send an object (or a List of objects) to any API server. */
export function checkManifest(value: unknown, path: string): ManifestProblem[] {
  if (!isJsonObject(value)) return [{ path, expected: "a Kubernetes object", found: describeType(value) }];
  const problems = ["apiVersion", "kind"].flatMap((field) => checkText(value[field], `${path}.${field}`));
  const items = value["items"];
  if (Array.isArray(items)) {
    return [...problems, ...items.flatMap((item, index) => checkManifest(item, `${path}.items[${index}]`))];
  }
  const metadata = value["metadata"];
  if (!isJsonObject(metadata)) {
    return [...problems, { path: `${path}.metadata`, expected: "an object", found: describeType(metadata) }];
  }
  return [...problems, ...checkName(metadata["name"], `${path}.metadata.name`), ...checkMetadata(metadata, path)];
}

function checkMetadata(metadata: Record<string, unknown>, path: string): ManifestProblem[] {
  const namespace = metadata["namespace"];
  const problems: ManifestProblem[] = [];
  if (namespace !== undefined && namespace !== null && typeof namespace !== "string") {
    problems.push({ path: `${path}.metadata.namespace`, expected: "a string", found: describeType(namespace) });
  } else if (typeof namespace === "string" && namespace !== "") {
    problems.push(...checkName(namespace, `${path}.metadata.namespace`));
  }
  for (const field of ["labels", "annotations"]) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    if (isJsonObject(map)) problems.push(...checkTextValues(map, `${path}.metadata.${field}`));
    else problems.push({ path: `${path}.metadata.${field}`, expected: "an object", found: describeType(map) });
  }
  return problems;
}

function checkTextValues(map: Record<string, unknown>, path: string): ManifestProblem[] {
  return Object.entries(map)
    .filter(([, value]) => typeof value !== "string")
    .map(([key, value]) => ({ path: `${path}.${key}`, expected: "a string", found: describeType(value) }));
}

function checkName(value: unknown, path: string): ManifestProblem[] {
  const problems = checkText(value, path);
  if (problems.length > 0 || canBeName(String(value))) return problems;
  return [{ path, expected: "a name without / and %, other than . and ..", found: "a string that no object can have" }];
}

function checkText(value: unknown, path: string): ManifestProblem[] {
  if (typeof value === "string" && value !== "") return [];
  return [{ path, expected: "a non-empty string", found: describeType(value) }];
}

/** Names the type of a value for messages, never the value. */
export function describeType(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeWord(value)}`;
}
