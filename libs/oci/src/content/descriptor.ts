/** What names content (OCI image specification): its form, digest and size in bytes. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

export const mediaTypes = {
  ociManifest: "application/vnd.oci.image.manifest.v1+json",
  ociIndex: "application/vnd.oci.image.index.v1+json",
  dockerManifest: "application/vnd.docker.distribution.manifest.v2+json",
  dockerList: "application/vnd.docker.distribution.manifest.list.v2+json",
} as const;

/** A manifest of an image or artifact as it was sent: its digest is that of `bytes`. */
export interface Manifest extends Descriptor {
  readonly bytes: Uint8Array;
}

/** The parts of an image manifest. */
export interface ImageManifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations: Readonly<Record<string, string>>;
}
