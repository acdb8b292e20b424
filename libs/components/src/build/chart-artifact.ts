import { digestOf, mediaTypes, type Descriptor } from "@landscaper/oci";
import type { WholeArtifact } from "../archive/pack-artifact.ts";
import { streamOf } from "../archive/stream-of.ts";
import { tagOf } from "./artifact-name.ts";

const provenanceType = "application/vnd.cncf.helm.chart.provenance.v1.prov";

/** A chart as Helm packs it. */
export interface PackedChart {
  readonly name: string;
  readonly version: string;
  /** What Chart.yaml says. */
  readonly metadata: object;
  /** tar with gzip, the same bytes each time. */
  readonly archive: Uint8Array;
  /** The file that `helm package --sign` makes. */
  readonly provenance?: Uint8Array | undefined;
}

/** The artifact of a chart, as `helm push` makes it, but without annotations, of which one is a time: equal charts give equal artifacts. */
export function chartArtifact(
  { version, metadata, archive, provenance }: PackedChart,
  // Helm's own rule for versions in tags.
  tag = tagOf(version),
): WholeArtifact & { readonly tag: string } {
  const config = Buffer.from(JSON.stringify(metadata));
  const configPart = describe("application/vnd.cncf.helm.config.v1+json", config);
  const layer = describe("application/vnd.cncf.helm.chart.content.v1.tar+gzip", archive);
  const proof = provenance === undefined ? [] : [{ part: describe(provenanceType, provenance), content: provenance }];
  const mediaType = mediaTypes.ociManifest;
  const layers = [layer, ...proof.map(({ part }) => part)];
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config: configPart, layers }));
  return {
    manifest: { ...describe(mediaType, bytes), bytes },
    tag,
    blobs: [
      { ...configPart, stream: () => streamOf(config) },
      { ...layer, stream: () => streamOf(archive) },
      ...proof.map(({ part, content }) => ({ ...part, stream: () => streamOf(content) })),
    ],
  };
}

function describe(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}
