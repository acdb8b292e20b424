import type { Descriptor, Manifest } from "@landscaper/oci";

export interface CallOptions {
  readonly signal: AbortSignal;
}

/** Repositories of OCI artifacts: a registry, or files in the form of one. Content is what its digest says, or an error. */
export interface ArtifactStore {
  /** For messages: host, or path. Without credentials. */
  readonly text: string;
  /** The manifest that a tag or digest names; undefined when there is none. */
  findManifest(repository: string, version: string, options: CallOptions): Promise<Manifest | undefined>;
  /** The bytes as they come; they may be used only after the end. */
  streamBlob(repository: string, blob: Descriptor, options: CallOptions): AsyncIterable<Uint8Array>;
  /** Who sees the blobs of a repository, for what is kept of them; undefined for files, which may change under their names. */
  ownerOf?(repository: string): unknown;
  listTags(repository: string, options: CallOptions): Promise<readonly string[]>;
}
