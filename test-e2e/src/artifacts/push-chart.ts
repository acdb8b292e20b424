import { createRegistryClient, mediaTypes, parseReference, type CredentialEntry } from "@landscaper/oci";

export interface PushedChart {
  /** `http://HOST/REPOSITORY:VERSION`, or with https. */
  readonly reference: string;
  readonly archive: Uint8Array;
  /** Its signature, as `helm push` takes it along. */
  readonly provenance?: Uint8Array | undefined;
  readonly credentials?: readonly CredentialEntry[] | undefined;
}

const configType = "application/vnd.cncf.helm.config.v1+json";
const chartType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const provenanceType = "application/vnd.cncf.helm.chart.provenance.v1.prov";

/** Pushes a packed chart with our client, in the form of `helm push`. Gives the digest of its manifest. */
export async function pushChart({ reference, archive, provenance, credentials = [] }: PushedChart): Promise<string> {
  const client = createRegistryClient({ userAgent: "landscaper-e2e" });
  const { signal } = new AbortController();
  try {
    const session = client.session(credentials);
    const place = parseReference(reference);
    const push = async (bytes: Uint8Array, mediaType: string): Promise<object> => ({
      ...(await session.pushBlob(place, bytes, { signal })),
      mediaType,
    });
    const name = place.repository.slice(place.repository.lastIndexOf("/") + 1);
    const metadata = { name, version: place.tag?.replaceAll("_", "+"), apiVersion: "v2" };
    const manifest = {
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: await push(Buffer.from(JSON.stringify(metadata)), configType),
      layers: [
        await push(archive, chartType),
        ...(provenance === undefined ? [] : [await push(provenance, provenanceType)]),
      ],
    };
    const bytes = Buffer.from(JSON.stringify(manifest));
    return (await session.pushManifest(place, { bytes, mediaType: mediaTypes.ociManifest }, { signal })).digest;
  } finally {
    await client.close();
  }
}
