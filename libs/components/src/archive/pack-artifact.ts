import { compareStrings } from "@landscaper/goyaml";
import { mediaTypes, type Descriptor, type Manifest } from "@landscaper/oci";
import { fileOfDigest } from "../repository/blob-folder.ts";
import { streamOf } from "./stream-of.ts";
import { gzipped, packFiles, type FileToPack } from "./pack-files.ts";

/** A blob of an artifact; `stream` must verify it. */
export interface ArtifactBlob extends Pick<Descriptor, "digest" | "size"> {
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** An artifact with all its content, manifests of an index among the blobs. */
export interface WholeArtifact {
  readonly manifest: Pick<Manifest, "bytes" | "mediaType" | "digest" | "size">;
  readonly tag?: string | undefined;
  readonly blobs: readonly ArtifactBlob[];
}

/** The media type of a packed artifact, by that of its manifest. */
export function packedTypeOf(manifestType: string): string {
  return `${manifestType.replace(/\+json$/, "")}+tar+gzip`;
}

const packedType =
  /^application\/vnd\.(?:oci\.image\.(?:manifest|index)|docker\.distribution\.manifest)\.[\w.]*v[12]\+.*tar/;

/** Whether content of the media type is an artifact that is packed with all its blobs. */
export function isPackedArtifact(mediaType: string | undefined): boolean {
  return mediaType !== undefined && packedType.test(mediaType);
}

/** An artifact as one blob: index, and content by digest. Equal artifacts give equal bytes. */
export function packArtifact({ manifest, tag, blobs }: WholeArtifact): AsyncGenerator<Uint8Array> {
  const { mediaType, digest, size, bytes } = manifest;
  const names =
    tag === undefined ? {} : { annotations: { "org.opencontainers.image.ref.name": tag, "software.ocm/tags": tag } };
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [{ mediaType, digest, size, ...names }],
    annotations: { "software.ocm/main": digest },
  };
  const all = new Map([...blobs, { digest, size, stream: () => streamOf(bytes) }].map((blob) => [blob.digest, blob]));
  const files: FileToPack[] = [...all.values()]
    .map((blob) => ({ name: `blobs/${fileOfDigest(blob.digest, "artifact")}`, size: blob.size, content: blob.stream }))
    .toSorted((a, b) => compareStrings(a.name, b.name));
  return gzipped(
    packFiles([
      textFile("index.json", index),
      textFile("oci-layout", { imageLayoutVersion: "1.0.0" }),
      { name: "blobs", size: 0 },
      ...files,
    ]),
  );
}

function textFile(name: string, value: object): FileToPack {
  const bytes = Buffer.from(JSON.stringify(value));
  return { name, size: bytes.length, content: () => streamOf(bytes) };
}
