import { digestOf, mediaTypes, type Descriptor } from "@landscaper/oci";
import type { WholeArtifact } from "../archive/pack-artifact.ts";
import { streamOf } from "../archive/stream-of.ts";

/** A chart as Helm packs it. */
export interface PackedChart {
  readonly name: string;
  readonly version: string;
  /** What Chart.yaml says. */
  readonly metadata: object;
  /** tar with gzip, the same bytes each time. */
  readonly archive: Uint8Array;
}

/** The artifact of a chart, as `helm push` makes it, but without annotations, of which one is a time: equal charts give equal artifacts. */
export function chartArtifact({ version, metadata, archive }: PackedChart): WholeArtifact & { readonly tag: string } {
  const config = Buffer.from(JSON.stringify(metadata));
  const configPart = describe("application/vnd.cncf.helm.config.v1+json", config);
  const layer = describe("application/vnd.cncf.helm.chart.content.v1.tar+gzip", archive);
  const mediaType = mediaTypes.ociManifest;
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config: configPart, layers: [layer] }));
  return {
    manifest: { ...describe(mediaType, bytes), bytes },
    // Helm's own rule for versions in tags.
    tag: version.replaceAll("+", "_"),
    blobs: [
      { ...configPart, stream: () => streamOf(config) },
      { ...layer, stream: () => streamOf(archive) },
    ],
  };
}

function describe(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}
