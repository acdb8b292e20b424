import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { isCrdFile } from "@landscaper/helm";
import { idsOf, isCustomResourceDefinition, isJsonObject, referenceTo } from "@landscaper/resources";
import type { ReleaseRecord } from "../records/release-record.ts";
import { parseManifests } from "./release-objects.ts";

/**
 * The objects in the texts of crds/, in their order. CRDs come without a namespace: the API server ignores one. Throws LandscaperError
 * for a document that is no object.
 */
export async function parseCrdFiles(texts: readonly string[]): Promise<UnstructuredObject[]> {
  return (await parseManifests(texts)).map((object) => {
    if (!isDefinition(object)) return object;
    const { namespace: _ignored, ...metadata } = object.metadata;
    return { ...object, metadata };
  });
}

/**
 * The objects in crds/ of the chart that a record holds. Records hold no dependencies, so the CRDs of dependencies are missing. Leaves out
 * files that cannot be read: no revision has installed them.
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

/** `resourceId`s of the CRDs among the objects of crds/. An upgrade does not delete them. As with Helm, it deletes another object that moves there. */
export function definitionIds(crds: readonly UnstructuredObject[]): Set<string> {
  return idsOf(crds.filter(isDefinition));
}

/** Whether an object of a chart is a CRD. */
export function isDefinition(object: UnstructuredObject): boolean {
  return isCustomResourceDefinition(referenceTo(object));
}
