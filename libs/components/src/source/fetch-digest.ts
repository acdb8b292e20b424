import type { ImageReference } from "@landscaper/oci";
import { streamOf } from "../archive/stream-of.ts";
import { componentError } from "../component-error.ts";
import type { RegistryBlob } from "../repository/component-version.ts";
import { fetchManifest, ownerOf, streamBlob } from "../repository/registry-store.ts";
import { describeRequest, type DigestRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import { hashOfStream, isArtifactDigest, readMainDigest } from "../verify/resource-digest.ts";
import { fetchChartOf } from "./fetch-chart.ts";
import { referenceOf, relativeReference, type ContentOptions } from "./fetch-content.ts";
import type { HashBudget } from "./hash-budget.ts";
import type { HashMemory } from "./hash-memory.ts";

export interface DigestFetchOptions extends ContentOptions {
  readonly budget: HashBudget;
  readonly memory: HashMemory;
}

/**
 * The hash of a resource's content, made in the way of its own digest (docs/reference/components.md#signatures). Content is read as a stream and not kept. Throws LandscaperError for
 * content that cannot be read: nothing is verified by halves.
 */
export async function fetchDigest(request: DigestRequest, options: DigestFetchOptions): Promise<Supply> {
  const { access, digest } = request;
  const where = describeRequest(request);
  const isArtifact = isArtifactDigest(digest);
  if (!isArtifact && digest.normalisationAlgorithm !== "genericBlobDigest/v1") {
    throw unreadable(where, `digests of ${digest.normalisationAlgorithm} are not known`);
  }
  switch (access.kind) {
    case "local":
      return await hashLocal(request, { ...options, reference: access.reference });
    case "artifact":
      return await hashArtifact(request, options, referenceOf(access.reference, options.repository));
    case "relative-artifact":
      return await hashArtifact(request, options, relativeReference(access.reference, where, options));
    case "blob": {
      if (isArtifact) throw unreadable(where, "a blob has no manifest");
      const { repository, digest: blobDigest, size, mediaType = "" } = access;
      const place = referenceOf(repository, options.repository);
      const blob = { digest: blobDigest, size, mediaType };
      const own = { digest: blobDigest, owner: ownerOf(options.session, place) };
      const value = await remembered(own, request, {
        memory: options.memory,
        read: async () => {
          const stream = streamBlob(options.session, place, { ...options, blob });
          return await hashOfStream(options.budget.counted(stream), digest.hashAlgorithm, where);
        },
      });
      return found(value, place.host);
    }
    case "chart": {
      if (isArtifact) throw unreadable(where, "a chart of a Helm repository has no manifest");
      const { archive, origin } = await fetchChartOf(access, { ...options, where });
      const content = options.budget.counted(streamOf(archive));
      return found(await hashOfStream(content, digest.hashAlgorithm, where), origin);
    }
    case "none":
      throw unreadable(where, "content of the access type none is not read here");
    case "other":
      throw unreadable(where, `content of the access type ${access.type} cannot be read`);
  }
}

async function hashLocal(
  request: DigestRequest,
  { open, budget, memory, signal, reference }: DigestFetchOptions & { readonly reference: string },
): Promise<Supply> {
  const where = describeRequest(request);
  const stored = await open();
  const content = await stored.findLocal(reference);
  const { digest } = request;
  const read = async (): Promise<string> => {
    const stream = budget.counted(content.stream({ signal }));
    return isArtifactDigest(digest)
      ? await readMainDigest(stream, where)
      : await hashOfStream(stream, digest.hashAlgorithm, where);
  };
  return found(await remembered(content.blob, request, { memory, read }), stored.place ?? stored.where);
}

/** What is no blob of a registry is read each time. */
async function remembered(
  blob: RegistryBlob | undefined,
  { digest }: DigestRequest,
  { memory, read }: { readonly memory: HashMemory; readonly read: () => Promise<string> },
): Promise<string> {
  if (blob === undefined) return await read();
  const method = `${digest.normalisationAlgorithm} ${digest.hashAlgorithm}`;
  return await memory.hashOf(blob, method, read);
}

async function hashArtifact(
  request: DigestRequest,
  { session, cache, signal }: DigestFetchOptions,
  reference: ImageReference,
): Promise<Supply> {
  if (!isArtifactDigest(request.digest)) {
    const { normalisationAlgorithm } = request.digest;
    throw unreadable(describeRequest(request), `an artifact of a registry has no digest of ${normalisationAlgorithm}`);
  }
  const { digest } = await fetchManifest(session, reference, { cache, signal });
  return found(digest.slice(digest.indexOf(":") + 1), reference.host);
}

function found(value: string, where: string): Supply {
  return { bytes: new Uint8Array(), digest: value, mediaType: "", where };
}

function unreadable(where: string, why: string): Error {
  return componentError("InvalidComponent", `${where}: ${why}, and what cannot be read cannot be verified`);
}
