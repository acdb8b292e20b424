import {
  digestOf,
  parseImageManifest,
  parseReference,
  readBounded,
  type ContentCache,
  type ImageReference,
  type RegistrySession,
} from "@landscaper/oci";
import { isPackedArtifact } from "../archive/pack-artifact.ts";
import { streamOf } from "../archive/stream-of.ts";
import { readFirstLayer } from "../archive/read-artifact-set.ts";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { StoredComponent } from "../repository/component-version.ts";
import { fetchManifest, streamBlob } from "../repository/registry-store.ts";
import type { RepositorySpec } from "../repository/repository-context.ts";
import { describeRequest, type ContentRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import { chartMediaType, fetchChartOf, type FetchChart } from "./fetch-chart.ts";
import { checkArtifactDigest, withBlobDigest } from "../verify/compare-digest.ts";

/** Of one resource: blueprints, schemas, and what templates read. */
export const maxContentBytes = 32 * 1024 * 1024;

export interface ContentOptions extends CallOptions {
  readonly session: RegistrySession;
  readonly cache: ContentCache | undefined;
  /** The repository of the component; undefined when nothing names it. */
  readonly repository: RepositorySpec | undefined;
  /** Fetches charts of Helm repositories. Default: they are not read. */
  readonly fetchChart: FetchChart | undefined;
  /** The component version in that repository. */
  readonly open: () => Promise<StoredComponent>;
}

/** The content of a resource, verified by all digests that are known of it. Throws LandscaperError. */
export async function fetchContent(request: ContentRequest, options: ContentOptions): Promise<Supply> {
  const { access } = request;
  const where = describeRequest(request);
  switch (access.kind) {
    case "local":
      return await fetchLocal(request, { ...options, reference: access.reference, mediaType: access.mediaType });
    case "artifact":
      return await fetchArtifact(request, { ...options, reference: referenceOf(access.reference, options.repository) });
    case "relative-artifact":
      return await fetchArtifact(request, {
        ...options,
        reference: relativeReference(access.reference, where, options),
      });
    case "blob": {
      const { repository, digest, size, mediaType = "" } = access;
      const place = referenceOf(repository, options.repository);
      checkSize(size, where);
      const blob = { digest, size, mediaType };
      return await collect(streamBlob(options.session, place, { ...options, blob }), {
        request,
        mediaType,
        where: place.host,
      });
    }
    case "none":
      throw componentError("InvalidComponent", `${where}: it has no content (access type none)`);
    case "chart": {
      const { archive, origin } = await fetchChartOf(access, { ...options, where });
      return await collect(streamOf(archive), { request, mediaType: chartMediaType, where: origin });
    }
    case "other":
      throw componentError("InvalidComponent", `${where}: content of the access type ${access.type} cannot be read`);
  }
}

async function fetchLocal(
  request: ContentRequest,
  { open, signal, ...access }: ContentOptions & { readonly reference: string; readonly mediaType: string | undefined },
): Promise<Supply> {
  const stored = await open();
  const found = await stored.findLocal(access.reference);
  const mediaType = access.mediaType ?? found.mediaType;
  const stream = found.stream({ signal });
  const where = stored.place ?? stored.where;
  if (!isPackedArtifact(mediaType)) return await collect(stream, { request, mediaType, where });
  const { main, ...layer } = await readFirstLayer(stream, describeRequest(request));
  checkArtifactDigest(request, main, describeRequest(request));
  return { ...layer, digest: digestOf(layer.bytes), where };
}

/** The first layer of an artifact: blueprints, schemas and charts have their content there. */
async function fetchArtifact(
  request: ContentRequest,
  { reference, session, cache, signal }: ContentOptions & { readonly reference: ImageReference },
): Promise<Supply> {
  const where = describeRequest(request);
  const manifest = await fetchManifest(session, reference, { cache, signal });
  checkArtifactDigest(request, manifest.digest, where);
  const { layers } = parseImageManifest(manifest, where);
  const [layer] = layers;
  if (layer === undefined) throw componentError("InvalidComponent", `${where}: the artifact has no layer`);
  checkSize(layer.size, where);
  const stream = streamBlob(session, reference, { blob: layer, cache, signal });
  const bytes = await readBounded(stream, { limit: maxContentBytes, place: where });
  return { bytes, digest: digestOf(bytes), mediaType: layer.mediaType, where: reference.host };
}

interface CollectOptions {
  readonly request: ContentRequest;
  readonly mediaType: string;
  readonly where: string;
}

async function collect(
  stream: AsyncIterable<Uint8Array>,
  { request, mediaType, where }: CollectOptions,
): Promise<Supply> {
  const place = describeRequest(request);
  const bytes = await readBounded(withBlobDigest(stream, request, place), { limit: maxContentBytes, place });
  return { bytes, digest: digestOf(bytes), mediaType, where };
}

function checkSize(size: number, where: string): void {
  if (size <= maxContentBytes) return;
  throw componentError("InvalidComponent", `${where}: ${size} bytes are more than the allowed ${maxContentBytes}`);
}

/** The scheme that the repository of a component is named with holds for all that lies on its host. */
export function referenceOf(text: string, repository: RepositorySpec | undefined): ImageReference {
  const reference = parseReference(text);
  if (reference.scheme !== undefined || repository?.kind !== "registry") return reference;
  const isSameHost = reference.host === repository.host && repository.scheme !== undefined;
  return isSameHost ? { ...reference, scheme: repository.scheme } : reference;
}

/** Throws LandscaperError when the component lies in no registry. */
export function relativeReference(
  text: string,
  where: string,
  { repository }: Pick<ContentOptions, "repository">,
): ImageReference {
  if (repository?.kind !== "registry") {
    throw componentError(
      "InvalidComponent",
      `${where}: its access is relative to a registry, and the component is in none`,
    );
  }
  const { host, scheme, subPath } = repository;
  const path = [host, subPath, text.replace(/^\/+/, "")].filter((part) => part !== "").join("/");
  return parseReference(`${scheme ?? "oci"}://${path}`);
}
