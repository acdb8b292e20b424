import { parseJson } from "@landscaper/json";
import { isDigest, mediaTypes, type Manifest } from "@landscaper/oci";
import { componentError } from "../component-error.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { fileOfDigest, type BlobFolder } from "./blob-folder.ts";

export const indexFile = "artifact-index.json";
/** The folder of all content. */
export const blobs = "blobs";

export interface IndexEntry {
  readonly repository: string;
  readonly tag?: string;
  readonly digest: string;
  readonly mediaType: string;
}

/** A common transport format as a folder (docs/reference/components.md#artifacts): its index, and blobs by digest. Undefined when the folder is none. */
export async function openTransportStore(folder: BlobFolder): Promise<ArtifactStore | undefined> {
  const index = await folder.read(indexFile);
  if (index === undefined) return undefined;
  const entries = parseIndex(index, `${folder.text}/${indexFile}`);
  return {
    text: folder.text,
    findManifest: async (repository, version) => {
      // Old versions of an artifact stay in the index without their tag.
      const found = entries.find(
        (entry) =>
          entry.repository === repository && (isDigest(version) ? entry.digest === version : entry.tag === version),
      );
      return found === undefined ? undefined : await readManifest(folder, found);
    },
    streamBlob: (_repository, blob) => folder.stream(blob, blobs, fileOfDigest(blob.digest, folder.text)),
    listTags: async (repository) =>
      entries.flatMap((entry) => (entry.repository === repository && entry.tag !== undefined ? [entry.tag] : [])),
  };
}

/** Repositories that the index names, in its order. */
export async function listRepositories(folder: BlobFolder): Promise<readonly string[]> {
  const index = await folder.read(indexFile);
  if (index === undefined) return [];
  return [...new Set(parseIndex(index, `${folder.text}/${indexFile}`).map(({ repository }) => repository))];
}

async function readManifest(folder: BlobFolder, { digest, mediaType }: IndexEntry): Promise<Manifest> {
  const name = fileOfDigest(digest, folder.text);
  const size = (await folder.sizeOf(blobs, name)) ?? 0;
  const parts: Uint8Array[] = [];
  for await (const part of folder.stream({ digest, size }, blobs, name)) parts.push(part);
  return { digest, mediaType, size, bytes: Buffer.concat(parts) };
}

/** Reads artifact-index.json. Throws LandscaperError. */
export function parseIndex(bytes: Buffer, where: string): readonly IndexEntry[] {
  const invalid = (problem: string): Error => componentError("InvalidComponent", `${where}: ${problem}`);
  let index: unknown;
  try {
    index = parseJson(bytes.toString("utf8"));
  } catch {
    throw invalid("expected JSON");
  }
  const { schemaVersion, artifacts } = asMap(index);
  if (schemaVersion !== 1) throw invalid(`schemaVersion: expected 1, found ${JSON.stringify(schemaVersion)}`);
  if (!Array.isArray(artifacts)) throw invalid("artifacts: expected a list");
  return artifacts.map((artifact: unknown, at) => {
    const { repository, tag, digest, mediaType = mediaTypes.ociManifest } = asMap(artifact);
    if (typeof repository !== "string") throw invalid(`artifacts[${at}].repository: expected a text`);
    if (typeof digest !== "string" || !isDigest(digest)) throw invalid(`artifacts[${at}].digest: expected sha256:...`);
    if (typeof mediaType !== "string") throw invalid(`artifacts[${at}].mediaType: expected a text`);
    if (tag !== undefined && typeof tag !== "string") throw invalid(`artifacts[${at}].tag: expected a text`);
    return { repository, digest, mediaType, ...(tag === undefined || tag === "" ? {} : { tag }) };
  });
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
