import { LandscaperError } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import type { Descriptor, ImageManifest, Manifest } from "./descriptor.ts";
import { mediaTypes } from "./descriptor.ts";
import { isDigest } from "./digest.ts";
import { ociError } from "../oci-error.ts";

/** Reads an image manifest; without `mediaType` it is what it says of itself. Throws LandscaperError that names the field; `where` is the reference. */
export function parseImageManifest(
  { bytes, mediaType: given }: Pick<Manifest, "bytes"> & Partial<Manifest>,
  where: string,
): ImageManifest {
  const manifest = parseObject(bytes, where);
  const mediaType = given ?? manifest["mediaType"] ?? mediaTypes.ociManifest;
  if (mediaType !== mediaTypes.ociManifest && mediaType !== mediaTypes.dockerManifest) {
    throw invalid(where, `expected an image manifest, found media type ${JSON.stringify(mediaType)}`);
  }
  const { config, layers, annotations } = manifest;
  if (!Array.isArray(layers)) throw invalid(where, "layers: expected a list");
  return {
    config: parseDescriptor(config, `${where}: config`),
    layers: layers.map((layer, index) => parseDescriptor(layer, `${where}: layers[${index}]`)),
    annotations: textsOf(annotations),
  };
}

/** What a manifest says of its own form; undefined when it says nothing. */
export function mediaTypeOfManifest(bytes: Uint8Array): string | undefined {
  try {
    const value: unknown = parseJson(Buffer.from(bytes).toString("utf8"));
    const own = isObject(value) ? value["mediaType"] : undefined;
    return typeof own === "string" ? own : undefined;
  } catch {
    return undefined;
  }
}

function parseObject(bytes: Uint8Array, where: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isObject(value)) return value;
  } catch (error) {
    if (error instanceof LandscaperError) throw error;
  }
  throw invalid(where, "the manifest is no JSON object");
}

function parseDescriptor(value: unknown, where: string): Descriptor {
  const { mediaType, digest, size, annotations } = isObject(value) ? value : {};
  if (typeof mediaType !== "string") throw invalid(where, "mediaType: expected a text");
  if (typeof digest !== "string" || !isDigest(digest))
    throw invalid(where, "digest: expected sha256:... or sha512:...");
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) throw invalid(where, "size: expected bytes");
  return { mediaType, digest, size, ...(annotations === undefined ? {} : { annotations: textsOf(annotations) }) };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(where: string, problem: string): Error {
  return ociError({ reason: "InvalidRegistryAnswer", message: `${where}: ${problem}` });
}
