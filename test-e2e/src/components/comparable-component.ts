import { gunzipSync } from "node:zlib";
import { openFileRepository, readTree, type ComponentName } from "@landscaper/components";
import { digestOf, readBounded } from "@landscaper/oci";
import { formatDescriptor, parseAccess } from "@landscaper/ocm";
import { compareStrings, toGoJson } from "@landscaper/goyaml";
import { parse } from "yaml";

const { signal } = new AbortController();
const limit = 64 * 1024 * 1024;

/** The parts of a component that two programs must agree on. */
export interface ComparableComponent {
  /** Of schema v2, without times and repository contexts, and without digests that depend on how something was packed. */
  readonly descriptor: unknown;
  /** Local content by the identity of its element. */
  readonly contents: Readonly<Record<string, unknown>>;
}

/** Local content of an element. */
export interface LocalContent {
  /** Name, version and extra identity. */
  readonly identity: string;
  /** `localReference` of the access. */
  readonly reference: string;
  readonly bytes: Buffer;
}

/** The element of a descriptor, in any schema. */
interface Element {
  readonly name: string;
  readonly version?: string | undefined;
  readonly extraIdentity?: Readonly<Record<string, string>> | undefined;
}

export function identityOf({ name, version = "", extraIdentity = {} }: Element): string {
  return JSON.stringify([name, version, extraIdentity]);
}

/** Reads a component from a common transport format with our library. */
export async function comparableComponent(path: string, component: ComponentName): Promise<ComparableComponent> {
  const repository = await openFileRepository(path);
  try {
    const found = await repository.find(component, { signal });
    if (found === undefined) throw new Error(`${path} has no component ${component.name}:${component.version}`);
    const { descriptor } = found;
    const contents: LocalContent[] = [];
    for (const element of [...descriptor.resources, ...descriptor.sources]) {
      const { name, access } = element;
      const parsed = access === undefined ? undefined : parseAccess(access, name);
      if (parsed?.kind !== "local") continue;
      const content = await found.findLocal(parsed.reference);
      const bytes = Buffer.from(await readBounded(content.stream({ signal }), { limit, place: name }));
      contents.push({ identity: identityOf(element), reference: parsed.reference, bytes });
    }
    return await compareDocument(formatDescriptor(descriptor, "v2"), contents);
  } finally {
    await repository.close();
  }
}

/** Brings a descriptor of schema v2 and its local content to the form in which programs must agree. */
export async function compareDocument(
  { component }: Readonly<Record<string, unknown>>,
  contents: readonly LocalContent[],
): Promise<ComparableComponent> {
  const packed = new Set<string>();
  const comparable: Record<string, unknown> = {};
  for (const { identity, reference, bytes } of contents) {
    const { content, isPacked } = await comparableContent(bytes);
    if (isPacked) packed.add(reference.replace("sha256:", ""));
    comparable[identity] = content;
  }
  const { creationTime: _, repositoryContexts: __, provider, ...others } = component as Record<string, unknown>; // of schema v2
  const text = JSON.stringify({ ...others, provider: sortedProvider(provider) }, (key, value: unknown) =>
    withoutPacked(key, value, packed),
  );
  return {
    descriptor: sortKeys(JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"))),
    contents: comparable,
  };
}

/** Recordings do not change with the order of fields. */
function sortKeys(value: unknown): unknown {
  return JSON.parse(toGoJson(value)) as unknown;
}

/** A provider with labels is JSON in a text; the order of its fields means nothing. */
function sortedProvider(provider: unknown): unknown {
  return typeof provider === "string" && provider.startsWith("{") ? (JSON.parse(provider) as unknown) : provider;
}

/** Digests and references of packed content differ between programs that pack the same. */
function withoutPacked(key: string, value: unknown, packed: ReadonlySet<string>): unknown {
  if (key === "localReference" && packed.has(String(value).replace("sha256:", ""))) return "packed";
  if (key !== "digest" || typeof value !== "object" || value === null) return value;
  const { normalisationAlgorithm, value: hash } = value as { normalisationAlgorithm: string; value: string };
  const isPacked = packed.has(hash) || normalisationAlgorithm === "ociArtifactDigest/v1";
  return isPacked ? { ...value, value: "packed" } : value;
}

interface ComparableContent {
  readonly content: unknown;
  readonly isPacked: boolean;
}

/** Helm writes the fields of Chart.yaml in its own order. */
function contentOfFile(name: string, bytes: Uint8Array = new Uint8Array()): unknown {
  return name.endsWith("/Chart.yaml") ? (parse(Buffer.from(bytes).toString()) as unknown) : describeBytes(bytes);
}

function describeBytes(bytes: Uint8Array): string {
  return `${digestOf(bytes)}, ${bytes.length} bytes`;
}

/** Content without its packing: files of archives, and for artifacts the content of all of their blobs that are not manifests. */
async function comparableContent(bytes: Buffer): Promise<ComparableContent> {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isZipped ? gunzipSync(bytes) : bytes;
  const isTar = plain.subarray(257, 262).toString() === "ustar";
  if (!isTar) return { content: describeBytes(plain), isPacked: isZipped };
  const files = await readTree(
    (async function* () {
      yield plain;
    })(),
    { where: "content" },
  );
  const names = [...files.keys()].toSorted();
  const isArtifact = names.some((name) => name.startsWith("blobs/"));
  if (!isArtifact)
    return { content: names.map((name) => [name, contentOfFile(name, files.get(name))]), isPacked: true };
  const contents: unknown[] = [];
  for (const name of names.filter((one) => one.startsWith("blobs/"))) {
    const blob = Buffer.from(files.get(name) ?? "");
    if (!isManifest(blob)) contents.push(contentOfJson(blob) ?? (await comparableContent(blob)).content);
  }
  // Names are digests, whose order depends on the packing.
  return { content: contents.toSorted((a, b) => compareStrings(JSON.stringify(a), JSON.stringify(b))), isPacked: true };
}

/** Manifests and indexes name their parts by digests, which depend on the packing. */
function isManifest(blob: Buffer): boolean {
  const value = contentOfJson(blob);
  return typeof value === "object" && value !== null && ("layers" in value || "manifests" in value);
}

/** Returns undefined for content other than JSON. The order of fields, such as of a chart's configuration, means nothing. */
function contentOfJson(blob: Buffer): unknown {
  try {
    return JSON.parse(toGoJson(JSON.parse(blob.toString()))) as unknown;
  } catch {
    return undefined;
  }
}
