import type { WholeArtifact } from "@landscaper/components";
import { createRegistryStore } from "@landscaper/components";
import type { ImageReference, RegistrySession } from "@landscaper/oci";
import { parseReference } from "@landscaper/oci";

/** An artifact of a release, with its place in the registry. */
export interface ReleaseArtifact extends WholeArtifact {
  /** HOST/PREFIX/NAME. */
  readonly repository: string;
  readonly tag: string;
  /** Manifests that the manifest refers to, such as those of an index; their blobs are among `blobs`. */
  readonly parts?: readonly WholeArtifact["manifest"][];
}

/** Access to the registry of a release. */
export interface ReleaseRegistry {
  readonly session: RegistrySession;
  /** Speak http to it. */
  readonly plainHttp: boolean;
  readonly signal: AbortSignal;
}

/** HOST/PREFIX/NAME:VERSION@DIGEST */
export const referenceOf = ({ repository, tag, manifest }: ReleaseArtifact): string =>
  `${repository}:${tag}@${manifest.digest}`;

export function placeOf(
  { repository, tag }: Pick<ReleaseArtifact, "repository" | "tag">,
  plainHttp: boolean,
): ImageReference {
  return parseReference(`${plainHttp ? "http" : "https"}://${repository}:${tag}`);
}

/** The digest that the registry has under the tag; undefined for none. */
export async function publishedDigest(
  artifact: Pick<ReleaseArtifact, "repository" | "tag">,
  { session, plainHttp, signal }: ReleaseRegistry,
): Promise<string | undefined> {
  const place = placeOf(artifact, plainHttp);
  const found = await createRegistryStore(session, place).findManifest(place.repository, artifact.tag, { signal });
  return found?.digest;
}

/** Pushes blobs, then manifests, then the tag: what is visible is whole. */
export async function pushArtifact(artifact: ReleaseArtifact, registry: ReleaseRegistry): Promise<void> {
  const { session, plainHttp, signal } = registry;
  const { tag, ...place } = placeOf(artifact, plainHttp);
  for (const { digest, stream } of artifact.blobs) await session.pushStream(place, stream(), { digest, signal });
  for (const part of artifact.parts ?? []) await session.pushManifest(place, part, { signal });
  await session.pushManifest({ ...place, tag }, artifact.manifest, { signal });
}
