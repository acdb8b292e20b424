import { gunzipSync, gzipSync } from "node:zlib";
import { annotations, type LandscaperError } from "@landscaper/api";
import { isNestedDeeper, parseJson } from "@landscaper/json";
import { isObject } from "@landscaper/oci";
import type { RepositoryContext, Resource } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";

/** What the chart of a helm item, or the image of a container item, must be (docs/reference/components.md#pins). */
export interface ChartPin {
  /** The component that `resourceRef` names, as `name:version`. */
  readonly component?: string | undefined;
  /** sha256 of the text of its descriptor. */
  readonly descriptor?: string | undefined;
  /** The repository that it was found in. */
  readonly repository?: RepositoryContext | undefined;
  /** Of the resource, as the descriptor says. */
  readonly digest?: Resource["digest"];
  /** The digest of the manifest that `ref`, or the reference to the image, leads to. */
  readonly manifest?: string | undefined;
  /** Where the blueprint of a container item lies, for one that is an artifact of its own: a reference. It tells which credential is for it. */
  readonly blueprint?: string | undefined;
}

/** What a job was rendered with. */
export interface ComponentPins {
  /** Whether a signature covers it. */
  readonly isVerified: boolean;
  /** sha256 of descriptors, by `name:version`. */
  readonly components: Readonly<Record<string, string>>;
  /** sha256 of the blueprint's archive. */
  readonly blueprint?: string | undefined;
  /** Charts and images, by the names of deploy items. */
  readonly items?: Readonly<Record<string, ChartPin>> | undefined;
}

const packed = "gzip:";
/** Longer texts are packed. */
const maxPlainLength = 4096;
/** All annotations of an object together may have 256 KiB. */
const maxLength = 131_072;
const maxUnpackedBytes = 4 * 1024 * 1024;
/** Its repository has at most 32 KiB of JSON. */
const maxChartPinBytes = 131_072;
const maxRepositoryDepth = 100;
const chartPinFields = "component, descriptor, manifest, blueprint, repository (an object) and digest (of a resource)";

/** The text of an annotation; the same for equal pins. Throws LandscaperError for more than fits into one. */
export function formatPins(pins: ComponentPins | ChartPin): string {
  const plain = JSON.stringify(pins);
  if (plain.length <= maxPlainLength) return plain;
  const text = `${packed}${gzipSync(plain, { level: 9 }).toString("base64")}`;
  if (text.length <= maxLength) return text;
  throw componentError(
    "InvalidComponent",
    `components: the digests of what the job uses take ${text.length} characters, more than the allowed ${maxLength}`,
  );
}

/** Undefined for what is not such a text. */
export function parsePins(text: string | undefined): ComponentPins | undefined {
  const value = unpack(text);
  const components = value?.["components"];
  if (value === undefined || !isObject(components)) return undefined;
  const items = value["items"];
  return {
    isVerified: value["isVerified"] === true,
    components: textsOf(components),
    blueprint: textOf(value["blueprint"]),
    items: isObject(items)
      ? Object.fromEntries(
          Object.entries(items).flatMap(([name, pin]) => (isObject(pin) ? [[name, toChartPin(pin)]] : [])),
        )
      : undefined,
  };
}

/**
 * The annotation of a DeployItem; undefined where there is none. Throws LandscaperError for a text that is not one of `formatPins`: a pin that cannot be read must not pass as one
 * that is absent.
 */
export function parseChartPin(text: string | undefined): ChartPin | undefined {
  if (text === undefined) return undefined;
  const value = unpack(text, maxChartPinBytes);
  if (value === undefined)
    throw invalidPin(`expected a JSON object, or gzip: and the base64 of one, of at most ${maxChartPinBytes} bytes`);
  const pin = toChartPin(value);
  const unread = Object.keys(value).filter(
    (field) => !Object.hasOwn(pin, field) || pin[field as keyof ChartPin] === undefined,
  );
  if (unread.length > 0) throw invalidPin(`${JSON.stringify(unread[0]?.slice(0, 40))}: expected ${chartPinFields}`);
  for (const field of ["descriptor", "manifest"] as const) {
    const digest = pin[field];
    if (digest !== undefined && !/^[a-z0-9]+:[0-9a-f]{32,128}$/.test(digest))
      throw invalidPin(`${field}: expected a digest such as sha256:... in hex`);
  }
  const { component, descriptor, repository, digest } = pin;
  if (component === undefined && [descriptor, repository, digest].some((each) => each !== undefined))
    throw invalidPin("component: expected the component that descriptor, repository and digest are of");
  if (isNestedDeeper(repository, maxRepositoryDepth))
    throw invalidPin(`repository: nested more than ${maxRepositoryDepth} levels deep`);
  return pin;
}

function invalidPin(problem: string): LandscaperError {
  return componentError("InvalidComponent", `annotation ${annotations.componentPins}: ${problem}`);
}

function toChartPin(value: Readonly<Record<string, unknown>>): ChartPin {
  const { repository, digest } = value;
  return {
    component: textOf(value["component"]),
    descriptor: textOf(value["descriptor"]),
    manifest: textOf(value["manifest"]),
    blueprint: textOf(value["blueprint"]),
    repository: isObject(repository) ? repository : undefined,
    digest: isObject(digest) ? toDigest(digest) : undefined,
  };
}

function toDigest(value: Readonly<Record<string, unknown>>): Resource["digest"] {
  const { hashAlgorithm, normalisationAlgorithm, value: hash } = textsOf(value);
  if (hashAlgorithm === undefined || normalisationAlgorithm === undefined || hash === undefined) return undefined;
  return { hashAlgorithm, normalisationAlgorithm, value: hash };
}

function unpack(
  text: string | undefined,
  maxOutputLength = maxUnpackedBytes,
): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const json = text.startsWith(packed)
      ? gunzipSync(Buffer.from(text.slice(packed.length), "base64"), { maxOutputLength }).toString()
      : text;
    if (json.length > maxOutputLength) return undefined;
    const value: unknown = parseJson(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
