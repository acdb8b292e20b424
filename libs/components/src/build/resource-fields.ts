import type { Resource } from "@landscaper/ocm";

type Access = NonNullable<Resource["access"]>;

/** Content that lies beside the descriptor. */
export function localAccess(digest: string, mediaType: string, referenceName?: string): Access {
  const fields = { type: "localBlob", localReference: digest, mediaType };
  const named = { ...fields, referenceName };
  return referenceName === undefined ? fields : named;
}

/** An artifact of a registry. */
export function artifactAccess(imageReference: string): Access {
  const fields = { type: "ociArtifact", imageReference };
  return fields;
}

/** A digest with SHA-256, from one such as `sha256:...`. */
export function sha256Digest(normalisationAlgorithm: string, digest: string): NonNullable<Resource["digest"]> {
  return { hashAlgorithm: "SHA-256", normalisationAlgorithm, value: digest.slice(digest.indexOf(":") + 1) };
}
