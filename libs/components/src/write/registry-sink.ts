import type { RegistrySession, RepositoryReference } from "@landscaper/oci";
import type { ArtifactSink } from "./artifact-sink.ts";

/** Stores artifacts in a registry. Manifests are visible at once; blobs without one are the registry's to remove. */
export function createRegistrySink(
  session: RegistrySession,
  { host, scheme }: Pick<RepositoryReference, "host" | "scheme">,
): ArtifactSink {
  const placeOf = (repository: string): RepositoryReference => ({
    host,
    ...(scheme === undefined ? {} : { scheme }),
    repository,
  });
  return {
    text: host,
    pushBlob: async (repository, content, options) => await session.pushStream(placeOf(repository), content, options),
    pushManifest: async (repository, manifest, { tag, signal }) =>
      await session.pushManifest({ ...placeOf(repository), tag }, manifest, { signal }),
    commit: async () => {},
    discard: async () => {},
  };
}
