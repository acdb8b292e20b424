import { LandscaperError } from "@landscaper/api";
import { isDigest, type RegistrySession, type RepositoryReference } from "@landscaper/oci";
import type { ArtifactStore } from "./artifact-store.ts";

/** The repositories of a registry, below the path of `base` where it has one. */
export function createRegistryStore(
  session: RegistrySession,
  base: Pick<RepositoryReference, "host" | "scheme">,
): ArtifactStore {
  const placeOf = (repository: string): RepositoryReference => ({ ...base, repository });
  return {
    text: base.host,
    findManifest: async (repository, version, options) => {
      const reference = { ...placeOf(repository), ...(isDigest(version) ? { digest: version } : { tag: version }) };
      return await orUndefined(session.fetchManifest(reference, options));
    },
    streamBlob: (repository, blob, options) => session.streamBlob(placeOf(repository), blob, options),
    listTags: async (repository, options) => (await orUndefined(session.listTags(placeOf(repository), options))) ?? [],
  };
}

async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof LandscaperError && error.reason === "RegistryNotFound") return undefined;
    throw error;
  }
}
