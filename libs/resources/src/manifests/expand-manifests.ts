import type { UnstructuredObject } from "@landscaper/api";
import { isJsonObject } from "../json-value.ts";
import type { Manifest } from "./manifest.ts";
import { referenceTo, resourceId } from "../cluster/resource-reference.ts";

/**
 * Replaces every List by its items, which inherit its policy, annotations and patches (deployers.md §1.2); an empty List
 * becomes nothing. An object that is given twice is taken once, in its last form.
 */
export function expandManifests(manifests: readonly Manifest[]): Manifest[] {
  const expanded = new Map<string, Manifest>();
  for (const manifest of manifests.flatMap(expandManifest)) {
    expanded.set(resourceId(referenceTo(manifest.manifest)), manifest);
  }
  return [...expanded.values()];
}

function expandManifest(manifest: Manifest): Manifest[] {
  const items = manifest.manifest["items"];
  if (!Array.isArray(items)) return [{ ...manifest, manifest: dropNullMetadata(manifest.manifest) }];
  return items.filter(isManifestObject).flatMap((item) => expandManifest({ ...manifest, manifest: item }));
}

/** Whether `value` can be an object or a List at all; configuration checks (`checkManifest`) have named those that cannot. A List needs no metadata. */
function isManifestObject(value: unknown): value is UnstructuredObject {
  return isJsonObject(value) && (isJsonObject(value["metadata"]) || Array.isArray(value["items"]));
}

/** Templates leave empty keys behind (`namespace:`); to the API server null means absent, and so does an empty namespace. */
function dropNullMetadata(object: UnstructuredObject): UnstructuredObject {
  const isSet = ([key, value]: readonly [string, unknown]): boolean =>
    value !== null && !(key === "namespace" && value === "");
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(isSet));
  return { ...object, metadata };
}
