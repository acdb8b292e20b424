import { parseJson } from "@landscaper/json";
import { isObject, mediaTypes, parseImageManifest, type ImageManifest, type Manifest } from "@landscaper/oci";
import { componentError } from "../component-error.ts";

/** Types of the config of a component (docs/reference/components.md#artifacts). */
const configTypes: ReadonlySet<string> = new Set([
  "application/vnd.ocm.software.component.config.v1+json",
  "application/vnd.gardener.cloud.cnudie.component.config.v1+json",
  "application/vnd.oci.gardener.cloud.cnudie.component-descriptor-metadata.config.v2+json",
]);
/** Manifests of an index that are looked at. */
const maxManifests = 32;

interface ManifestOptions {
  readonly where: string;
  readonly fetch: (digest: string) => Promise<Manifest | undefined>;
}

/** The manifest of a component, or the first one of an index around it. Throws LandscaperError for anything else. */
export async function findManifestOf(found: Manifest, { where, fetch }: ManifestOptions): Promise<ImageManifest> {
  if (found.mediaType !== mediaTypes.ociIndex && found.mediaType !== mediaTypes.dockerList) {
    const manifest = parseImageManifest(found, where);
    if (configTypes.has(manifest.config.mediaType)) return manifest;
    throw componentError(
      "InvalidComponent",
      `${where}: the artifact is no component, its config is of the type "${manifest.config.mediaType}"`,
    );
  }
  for (const digest of digestsOf(found, where).slice(0, maxManifests)) {
    const inner = await fetch(digest);
    if (
      inner === undefined ||
      (inner.mediaType !== mediaTypes.ociManifest && inner.mediaType !== mediaTypes.dockerManifest)
    )
      continue;
    const manifest = parseImageManifest(inner, where);
    if (configTypes.has(manifest.config.mediaType)) return manifest;
  }
  throw componentError("InvalidComponent", `${where}: none of the manifests of the index is a component`);
}

/** Digests of the manifests of an index. Throws LandscaperError. */
export function digestsOf({ bytes }: Pick<Manifest, "bytes">, where: string): readonly string[] {
  let index: unknown;
  try {
    index = parseJson(Buffer.from(bytes).toString("utf8"));
  } catch {
    index = undefined;
  }
  const manifests: unknown = isObject(index) ? index["manifests"] : undefined;
  if (!Array.isArray(manifests)) throw componentError("InvalidComponent", `${where}: manifests: expected a list`);
  return manifests.flatMap((entry: unknown) => {
    const digest = isObject(entry) ? entry["digest"] : undefined;
    return typeof digest === "string" ? [digest] : [];
  });
}
