import { LandscaperError } from "@landscaper/api";
import {
  isDigest,
  mediaTypeOfManifest,
  type ContentCache,
  type Descriptor,
  type ImageReference,
  type Manifest,
  type RegistrySession,
  type RepositoryReference,
} from "@landscaper/oci";
import type { ArtifactStore, CallOptions } from "./artifact-store.ts";

export interface RegistryStoreOptions {
  /** Content with a known digest is kept there, apart for each credential; tags are asked for each time. */
  readonly cache?: ContentCache | undefined;
}

/** Larger blobs are not kept. */
const maxCachedBytes = 32 * 1024 * 1024;

/** The repositories of a registry. */
export function createRegistryStore(
  session: RegistrySession,
  base: Pick<RepositoryReference, "host" | "scheme">,
  { cache }: RegistryStoreOptions = {},
): ArtifactStore {
  const placeOf = (repository: string): RepositoryReference => ({
    host: base.host,
    ...(base.scheme === undefined ? {} : { scheme: base.scheme }),
    repository,
  });
  return {
    text: base.host,
    findManifest: async (repository, version, options) => {
      const reference = { ...placeOf(repository), ...(isDigest(version) ? { digest: version } : { tag: version }) };
      return await orUndefined(fetchManifest(session, reference, { ...options, cache }));
    },
    ownerOf: (repository) => ownerOf(session, placeOf(repository)),
    streamBlob: (repository, blob, options) => streamBlob(session, placeOf(repository), { ...options, blob, cache }),
    listTags: async (repository, options) => (await orUndefined(session.listTags(placeOf(repository), options))) ?? [],
  };
}

interface CachedOptions extends CallOptions, RegistryStoreOptions {}

/** The manifest that a tag or digest names; with a cache, its digest is asked for first. Throws LandscaperError. */
export async function fetchManifest(
  session: RegistrySession,
  reference: ImageReference,
  { cache, signal }: CachedOptions,
): Promise<Manifest> {
  if (cache === undefined) return await session.fetchManifest(reference, { signal });
  const { digest, mediaType } = await session.resolve(reference, { signal });
  const owner = ownerOf(session, reference);
  const bytes = await cache.get(
    { digest, owner },
    async () => (await session.fetchManifest({ ...reference, digest }, { signal })).bytes,
  );
  return { mediaType: mediaTypeOfManifest(bytes) ?? mediaType, digest, size: bytes.length, bytes };
}

/** The bytes of a blob, of the cache where it has them; they may be used only after the end. */
export async function* streamBlob(
  session: RegistrySession,
  place: RepositoryReference,
  { blob, cache, signal }: CachedOptions & { readonly blob: Descriptor },
): AsyncGenerator<Uint8Array> {
  if (cache === undefined || blob.size > maxCachedBytes) {
    yield* session.streamBlob(place, blob, { signal });
    return;
  }
  const owner = ownerOf(session, place);
  yield await cache.get({ digest: blob.digest, owner }, async () => await session.fetchBlob(place, blob, { signal }));
}

/** As for charts: whoever may see one repository with a credential may see it again with the same one. */
export function ownerOf(session: RegistrySession, place: RepositoryReference): unknown {
  return { host: place.host, repository: place.repository, credential: session.credentialFor(place) };
}

async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof LandscaperError && error.reason === "RegistryNotFound") return undefined;
    throw error;
  }
}
