import type { Descriptor, Manifest } from "@landscaper/oci";
import type { CallOptions } from "../repository/artifact-store.ts";

/** Content that was stored. */
export type StoredBlob = Pick<Descriptor, "digest" | "size">;

/** Stores OCI artifacts: in a registry, or in files in the form of one. */
export interface ArtifactSink {
  /** For messages: host, or path. Without credentials. */
  readonly text: string;
  /** Stores bytes as they come. With a digest they are read only when they are not there already, and must be those of the digest. */
  pushBlob(
    repository: string,
    content: AsyncIterable<Uint8Array>,
    options: CallOptions & { readonly digest?: string | undefined },
  ): Promise<StoredBlob>;
  /** Its content must be there. A tag moves to the manifest. */
  pushManifest(
    repository: string,
    manifest: Pick<Manifest, "bytes" | "mediaType">,
    options: CallOptions & { readonly tag?: string | undefined },
  ): Promise<Descriptor>;
  /** Makes manifests visible that were stored since the last time. */
  commit(): Promise<void>;
  /** Removes what was stored since the last `commit`, as far as the sink can. */
  discard(): Promise<void>;
}
