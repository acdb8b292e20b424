import { quoteText } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import { digestOf, isDigest, isObject, mediaTypes, type Descriptor, type Manifest } from "@landscaper/oci";
import { componentError } from "../component-error.ts";

/** What an image runs on. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string | undefined;
}

/** A manifest that an index names. */
export interface IndexEntry extends Pick<Descriptor, "mediaType" | "digest" | "size"> {
  readonly platform?: Platform | undefined;
}

const indexTypes: ReadonlySet<string> = new Set([mediaTypes.ociIndex, mediaTypes.dockerList]);

export function isIndex({ mediaType }: Pick<Descriptor, "mediaType">): boolean {
  return indexTypes.has(mediaType);
}

/**
 * The index with the entries that run on one of the platforms, `[OS]/[ARCHITECTURE]`; returns the index unchanged if all entries match. Throws
 * LandscaperError if no entry matches.
 */
export function selectPlatforms(index: Manifest, platforms: readonly string[], where: string): Manifest {
  const wanted = platforms.map((platform) => {
    const parts = platform.split("/");
    const [os = "", architecture = ""] = parts;
    if (parts.length === 2) return { os, architecture };
    throw componentError(
      "InvalidComponent",
      `${where}: platforms: expected [OS]/[ARCHITECTURE], found ${quoteText(platform)}`,
    );
  });
  const { manifests, ...others } = readObject(index.bytes, where);
  const all = Array.isArray(manifests) ? (manifests as readonly unknown[]) : [];
  const selected = all.filter((entry) => {
    const { os, architecture } = platformOf(entry) ?? { os: "", architecture: "" };
    return wanted.some(
      (one) => (one.os === "" || one.os === os) && (one.architecture === "" || one.architecture === architecture),
    );
  });
  if (selected.length === 0) {
    const names = all.map(platformOf).filter((platform) => platform !== undefined);
    const list = names.map(({ os, architecture }) => `${os}/${architecture}`).join(", ");
    throw componentError(
      "InvalidComponent",
      `${where}: platforms: no manifest of the index matches ${platforms.join(", ")}; the index has ${list || "no platforms"}.`,
    );
  }
  return selected.length === all.length ? index : describe({ ...others, manifests: selected }, index.mediaType);
}

/** An OCI index of manifests. */
export function composeIndex(entries: readonly IndexEntry[]): Manifest {
  const manifests = entries.map(({ mediaType, digest, size, platform }) => ({ mediaType, digest, size, platform }));
  return describe({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }, mediaTypes.ociIndex);
}

/** The manifests that an index names. Throws LandscaperError. */
export function entriesOf(
  index: Pick<Manifest, "bytes">,
  where: string,
): readonly (IndexEntry & { names: readonly string[] })[] {
  const { manifests } = readObject(index.bytes, where);
  return (Array.isArray(manifests) ? (manifests as readonly unknown[]) : []).map((entry, at) => {
    const { mediaType, digest, size, annotations } = isObject(entry) ? entry : {};
    if (typeof digest !== "string" || !isDigest(digest) || typeof mediaType !== "string" || typeof size !== "number") {
      throw componentError("InvalidComponent", `${where}: manifests[${at}]: expected mediaType, digest and size`);
    }
    const texts = isObject(annotations) ? Object.values(annotations).filter((text) => typeof text === "string") : [];
    return { mediaType, digest, size, platform: platformOf(entry), names: texts };
  });
}

/** The platform that the configuration of an image names. */
export function platformOfConfig(bytes: Uint8Array, where: string): Platform | undefined {
  return platformOf({ platform: readObject(bytes, where) });
}

function platformOf(entry: unknown): Platform | undefined {
  const platform = isObject(entry) ? entry["platform"] : undefined;
  const { os, architecture, variant } = isObject(platform) ? platform : {};
  if (typeof os !== "string" || typeof architecture !== "string") return undefined;
  return { os, architecture, ...(typeof variant === "string" ? { variant } : {}) };
}

function describe(value: object, mediaType: string): Manifest {
  const bytes = Buffer.from(JSON.stringify(value));
  return { mediaType, digest: digestOf(bytes), size: bytes.length, bytes };
}

function readObject(bytes: Uint8Array, where: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(Buffer.from(bytes).toString("utf8"));
    if (isObject(value)) return value;
  } catch {
    // Below.
  }
  throw componentError("InvalidComponent", `${where}: expected a JSON object`);
}
