import { isObject, readBounded } from "@landscaper/oci";
import { createHashNamed, parseAccess, type Resource } from "@landscaper/ocm";
import { readArchive } from "../archive/read-archive.ts";
import { transportLimits } from "../archive/archive-limits.ts";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentVersion } from "../repository/component-version.ts";

/** Hash of a resource's content in hex, or why it cannot be read here. */
export type ResourceDigest = { readonly value: string } | { readonly unread: string };

/** The digest of an artifact in a registry, by its reference. */
export type ResolveArtifact = (reference: string, options: CallOptions) => Promise<string>;

export interface DigestOptions extends CallOptions {
  readonly resolveArtifact: ResolveArtifact;
  /** Begins messages: component and resource. */
  readonly where: string;
}

const artifactNormalisations: ReadonlySet<string> = new Set(["ociArtifactDigest/v1", "ociArtefactDigest/v1"]);
/** The digest of what the resource names now, in the way that its own digest was made (ocm.md §11.2). */
export async function digestOfResource(
  version: ComponentVersion,
  { access, digest }: Resource,
  options: DigestOptions,
): Promise<ResourceDigest> {
  const { where, signal } = options;
  if (digest === undefined) return { unread: "it has no digest" };
  const { normalisationAlgorithm, hashAlgorithm } = digest;
  const isArtifact = artifactNormalisations.has(normalisationAlgorithm);
  if (!isArtifact && normalisationAlgorithm !== "genericBlobDigest/v1") {
    return { unread: `digests of ${normalisationAlgorithm} are not known` };
  }
  const parsed = parseAccess(access, where);
  if (parsed.kind === "local") {
    const content = await version.findLocal(parsed.reference);
    const stream = content.stream({ signal });
    return { value: isArtifact ? await mainDigestOf(stream, where) : await hashOfStream(stream, hashAlgorithm, where) };
  }
  if (parsed.kind === "artifact" && isArtifact) {
    const found = await options.resolveArtifact(parsed.reference, { signal });
    return { value: found.slice(found.indexOf(":") + 1) };
  }
  return { unread: `content of the access type ${access?.type ?? ""} is not read here` };
}

async function hashOfStream(stream: AsyncIterable<Uint8Array>, algorithm: string, where: string): Promise<string> {
  const hash = createHashNamed(algorithm, where);
  for await (const part of stream) hash.update(part);
  return hash.digest("hex");
}

const indexes: ReadonlySet<string> = new Set(["index.json", "artifact-set-descriptor.json"]);
const maxIndexBytes = 4 * 1024 * 1024;

/** Of an artifact that is packed with its blobs: the one that the index marks, else its only one (ocm.md §5). */
async function mainDigestOf(stream: AsyncIterable<Uint8Array>, where: string): Promise<string> {
  let index: unknown;
  for await (const { path, content } of readArchive(stream, { limits: transportLimits, where })) {
    if (!indexes.has(path)) continue;
    const bytes = await readBounded(content, { limit: maxIndexBytes, place: where });
    try {
      index = JSON.parse(Buffer.from(bytes).toString("utf8"));
    } catch {
      throw componentError("InvalidComponent", `${where}: ${path}: expected JSON`);
    }
  }
  const { manifests, annotations } = isObject(index) ? index : {};
  const digests = (Array.isArray(manifests) ? manifests : []).flatMap((entry: unknown) =>
    isObject(entry) && typeof entry["digest"] === "string" ? [entry["digest"]] : [],
  );
  const main = isObject(annotations) ? annotations["software.ocm/main"] : undefined;
  const found = typeof main === "string" ? digests.find((digest) => digest === main) : digests[0];
  if (found === undefined || (main === undefined && digests.length > 1)) {
    throw componentError(
      "InvalidComponent",
      `${where}: the packed artifact does not say which of its manifests is the main one`,
    );
  }
  return found.slice(found.indexOf(":") + 1);
}
