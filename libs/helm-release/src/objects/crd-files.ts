import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { isCrdFile } from "@landscaper/helm";
import { idsOf, isCustomResourceDefinition, isJsonObject, referenceTo } from "@landscaper/resources";
import type { ReleaseRecord } from "../records/release-record.ts";
import { parseManifests } from "./release-objects.ts";

/**
 * Parses the objects in the texts of crds/, in their order. Removes the namespace of CRDs, which the API server ignores. Throws
 * LandscaperError for a document other than an object.
 */
export async function parseCrdFiles(texts: readonly string[]): Promise<UnstructuredObject[]> {
  return (await parseManifests(texts)).map((object) => {
    if (!isDefinition(object)) return object;
    const { namespace: _ignored, ...metadata } = object.metadata;
    return { ...object, metadata };
  });
}

/**
 * Parses the objects in crds/ of the chart in a record. Records do not contain dependencies, so the CRDs of dependencies are missing. Leaves
 * out unreadable files: no revision has installed them.
 */
export async function storedCrds({ chart }: Pick<ReleaseRecord, "chart">): Promise<readonly UnstructuredObject[]> {
  const files = Array.isArray(chart["files"]) ? chart["files"].filter(isJsonObject) : [];
  const objects = files.map(async ({ name, data }) =>
    typeof name === "string" && typeof data === "string" && isCrdFile(name) ? await readableObjects(data) : [],
  );
  return (await Promise.all(objects)).flat();
}

async function readableObjects(data: string): Promise<readonly UnstructuredObject[]> {
  try {
    return await parseCrdFiles([Buffer.from(data, "base64").toString("utf8")]);
  } catch (error) {
    if (error instanceof LandscaperError) return [];
    throw error;
  }
}

/** Returns the `resourceId`s of the CRDs in crds/, which an upgrade does not delete. As with Helm, it deletes other objects that move there. */
export function definitionIds(crds: readonly UnstructuredObject[]): Set<string> {
  return idsOf(crds.filter(isDefinition));
}

/** Whether an object of a chart is a CRD. */
export function isDefinition(object: UnstructuredObject): boolean {
  return isCustomResourceDefinition(referenceTo(object));
}
