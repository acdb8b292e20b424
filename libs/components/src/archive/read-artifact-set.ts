import { parseJson } from "@landscaper/json";
import { isDigest, isObject, matchesDigest, parseImageManifest } from "@landscaper/oci";
import { componentError } from "../component-error.ts";
import { treeLimits } from "./archive-limits.ts";
import { readTree } from "./read-tree.ts";

/** The index of an artifact that is packed with its blobs. */
export const artifactIndexes: ReadonlySet<string> = new Set(["index.json", "artifact-set-descriptor.json"]);

/** The digest of the manifest that an index of packed artifacts marks, else of its only one. Throws LandscaperError. */
export function mainDigestOf(index: unknown, where: string): string {
  const { manifests, annotations } = isObject(index) ? index : {};
  const digests = (Array.isArray(manifests) ? manifests : []).flatMap((entry: unknown) =>
    isObject(entry) && typeof entry["digest"] === "string" ? [entry["digest"]] : [],
  );
  const main = isObject(annotations) ? annotations["software.ocm/main"] : undefined;
  const found = typeof main === "string" ? digests.find((digest) => digest === main) : digests[0];
  if (found !== undefined && (main !== undefined || digests.length === 1)) return found;
  throw componentError(
    "InvalidComponent",
    `${where}: the packed artifact does not say which of its manifests is the main one`,
  );
}

/** Reads JSON. Throws LandscaperError. */
export function parseIndex(bytes: Uint8Array, where: string): unknown {
  try {
    return parseJson(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw componentError("InvalidComponent", `${where}: expected JSON`);
  }
}

export interface FirstLayer {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The digest of the manifest. */
  readonly main: string;
}

/** The first layer of an artifact that is packed with its blobs (docs/reference/components.md#artifacts). Throws LandscaperError. */
export async function readFirstLayer(stream: AsyncIterable<Uint8Array>, where: string): Promise<FirstLayer> {
  const files = await readTree(stream, { where, limits: { ...treeLimits, fileBytes: treeLimits.totalBytes } });
  const blobOf = (digest: string): Uint8Array => {
    const found = files.get(`blobs/${digest.replace(":", ".")}`) ?? files.get(`blobs/${digest.replace(":", "/")}`);
    if (found === undefined)
      throw componentError("InvalidComponent", `${where}: expected content with the digest ${digest}, found none`);
    if (isDigest(digest) && matchesDigest(found, digest)) return found;
    throw componentError("InvalidComponent", `${where}: digest mismatch: the content is not that of ${digest}`);
  };
  const name = [...artifactIndexes].find((file) => files.has(file)) ?? "";
  const index = files.get(name);
  if (index === undefined) throw componentError("InvalidComponent", `${where}: expected an artifact with its index`);
  const main = mainDigestOf(parseIndex(index, `${where}: ${name}`), where);
  const manifest = blobOf(main);
  const [layer] = parseImageManifest({ bytes: manifest }, where).layers;
  if (layer === undefined) throw componentError("InvalidComponent", `${where}: the artifact has no layer`);
  return { bytes: blobOf(layer.digest), mediaType: layer.mediaType, main };
}
