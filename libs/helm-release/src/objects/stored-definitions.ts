import type { UnstructuredObject } from "@landscaper/api";
import { isCrdFile } from "@landscaper/helm";
import { isJsonObject } from "@landscaper/resources";
import type { ReleaseRecord } from "../records/release-record.ts";
import { parseManifest } from "./release-objects.ts";

/**
 * The manifests in crds/ of the chart that a record holds. Records hold no dependencies, so the CRDs of dependencies are missing.
 * Throws LandscaperError for a document that is no object.
 */
export async function storedDefinitions({
  chart,
}: Pick<ReleaseRecord, "chart">): Promise<readonly UnstructuredObject[]> {
  const files = Array.isArray(chart["files"]) ? chart["files"].filter(isJsonObject) : [];
  const texts = files.flatMap(({ name, data }) =>
    typeof name === "string" && typeof data === "string" && isCrdFile(name)
      ? [Buffer.from(data, "base64").toString("utf8")]
      : [],
  );
  return (await Promise.all(texts.map(async (text) => await parseManifest(text)))).flat();
}
