import { formatReference, parseReference, type ImageReference, type Manifest } from "@landscaper/oci";
import { parseAccess, type Resource, type Source } from "@landscaper/ocm";
import { isPackedArtifact, packedTypeOf } from "../archive/pack-artifact.ts";
import { artifactAccess, localAccess } from "../build/resource-fields.ts";
import { componentError, withPlace } from "../component-error.ts";
import type { ArtifactStore, CallOptions } from "../repository/artifact-store.ts";
import type { ComponentVersion } from "../repository/component-version.ts";
import { checkArtifactDigest, withBlobDigest } from "../verify/compare-digest.ts";
import { repositoryIn, type LocalLayer } from "../write/store-component.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import { copyArtifact, packParts, readParts } from "./artifact-parts.ts";
import { sourceInStore, withPackedArtifact, type ArtifactSource } from "./artifact-source.ts";

export interface PlaceOptions extends CallOptions {
  /** Whether artifacts of registries are copied, and packed ones get a repository of their own where the target is a registry. */
  readonly copyResources: boolean;
  /** The registry of a reference. */
  readonly openRegistry: (reference: ImageReference) => ArtifactStore;
  /** The registry that the component version comes from: the path before its artifacts is not copied, and relative references begin there. */
  readonly origin?: Origin | undefined;
  /** Begins messages: component and resource. */
  readonly where: string;
}

/** A registry with a path, "" for none. */
export interface Origin extends Pick<ImageReference, "host" | "scheme"> {
  readonly subPath: string;
}

/** Where the content of an element lies in the target. */
export interface PlacedContent {
  readonly access: Resource["access"];
  /** Content that lies beside the descriptor. */
  readonly layer?: Omit<LocalLayer, "kind" | "index"> | undefined;
}

type Element = Pick<Resource, "name" | "version" | "access" | "digest"> & Partial<Source>;

interface PlaceWay {
  readonly version: ComponentVersion;
  readonly target: TargetRepository;
}

/** Copies the content of a resource or source, as far as it is to be copied; digests are compared. Throws LandscaperError that names it. */
export async function placeContent(element: Element, way: PlaceWay, options: PlaceOptions): Promise<PlacedContent> {
  return await withPlace(options.where, async () => await place(element, way, options));
}

async function place(element: Element, { version, target }: PlaceWay, options: PlaceOptions): Promise<PlacedContent> {
  const { access } = element;
  if (access === undefined) return { access };
  const parsed = parseAccess(access, options.where);
  const placing: Place = { element, component: version.descriptor.name, target, options };
  if (parsed.kind === "local") return await placeLocal({ ...parsed, access, version }, placing);
  if (parsed.kind === "relative-artifact" && options.origin !== undefined) {
    const reference = absoluteReference(parsed.reference, options.origin);
    if (options.copyResources) return await placeArtifact(reference, placing);
    return { access: artifactAccess(formatReference(reference)) };
  }
  if (parsed.kind !== "artifact" || !options.copyResources) return { access };
  return await placeArtifact(parseReference(parsed.reference), placing);
}

interface Place {
  readonly element: Element;
  readonly component: string;
  readonly target: TargetRepository;
  readonly options: PlaceOptions;
}

/** In another registry a relative reference would lead to something else. */
function absoluteReference(text: string, { host, scheme, subPath }: Origin): ImageReference {
  const path = [host, subPath, text.replace(/^\/+/, "")].filter((part) => part !== "").join("/");
  return parseReference(`${scheme ?? "oci"}://${path}`);
}

interface LocalContent {
  readonly reference: string;
  readonly mediaType: string | undefined;
  readonly access: NonNullable<Resource["access"]>;
  readonly version: ComponentVersion;
}

const defaultType = "application/octet-stream";

async function placeLocal(
  { reference, access, version, ...local }: LocalContent,
  place: Place,
): Promise<PlacedContent> {
  const { element, component, target, options } = place;
  const { where, signal, copyResources } = options;
  const content = await version.findLocal(reference);
  const mediaType = local.mediaType ?? (content.mediaType === "" ? defaultType : content.mediaType);
  const referenceName = textField(access, "referenceName");
  if (copyResources && target.registry !== undefined && isPackedArtifact(mediaType)) {
    const fallback = `${component}/${element.name}:${(element.version ?? "latest").replaceAll("+", "_")}`;
    return await withPackedArtifact(content.stream({ signal }), where, async (main, source) =>
      store({ main, source, name: relativeName(referenceName ?? fallback, where) }, place),
    );
  }
  const digest = /^sha(?:256|512)[.:]/.test(reference) ? reference.replace(".", ":") : undefined;
  const stream = withBlobDigest(content.stream({ signal }), element, where);
  const blob = await target.sink.pushBlob(repositoryIn(target, component), stream, { signal, digest });
  return { access: { ...withoutFile(access), ...localAccess(blob.digest, mediaType) }, layer: { ...blob, mediaType } };
}

/** Other spellings of local content become the one that all readers know. */
function withoutFile(access: NonNullable<Resource["access"]>): object {
  const names = new Set(["filename", "digest", "localreference", "mediatype", "type", "size"]);
  return Object.fromEntries(Object.entries(access).filter(([key]) => !names.has(key.toLowerCase())));
}

function textField(access: object, name: string): string | undefined {
  const value: unknown = Reflect.get(access, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

interface FoundArtifact {
  readonly main: Manifest;
  readonly source: ArtifactSource;
  /** Repository and tag below the target's own path. */
  readonly name: Pick<ImageReference, "repository" | "tag">;
}

async function placeArtifact(reference: ImageReference, place: Place): Promise<PlacedContent> {
  const { where, signal, openRegistry, origin } = place.options;
  const { repository, tag, digest } = reference;
  const registry = openRegistry(reference);
  const main = await registry.findManifest(repository, digest ?? tag ?? "latest", { signal });
  if (main === undefined)
    throw componentError("InvalidComponent", `${where}: ${formatReference(reference)} is not there`);
  const source = sourceInStore(registry, repository, { where, signal });
  const prefix = origin?.host === reference.host ? `${origin.subPath}/` : "";
  const own = repository.startsWith(prefix) ? repository.slice(prefix.length) : repository;
  return await store({ main, source, name: { repository: own, tag } }, place);
}

/** A registry gets the artifact below the target's path; files get it as a blob of the component. */
async function store(
  { main, source, name: { repository: own, tag } }: FoundArtifact,
  { element, component, target, options: { signal, where } }: Place,
): Promise<PlacedContent> {
  checkArtifactDigest(element, main.digest, where);
  const parts = await readParts(main, source);
  const { registry, sink, subPath } = target;
  if (registry === undefined) {
    const mediaType = packedTypeOf(main.mediaType);
    const blob = await sink.pushBlob(repositoryIn(target, component), packParts(parts, source, tag), { signal });
    const referenceName = tag === undefined ? own : `${own}:${tag}`;
    return { access: localAccess(blob.digest, mediaType, referenceName), layer: { ...blob, mediaType } };
  }
  const repository = subPath === "" ? own : `${subPath}/${own}`;
  await copyArtifact(parts, { source, sink }, { repository, tag, signal });
  return { access: artifactAccess(formatReference({ ...registry, repository, tag, digest: main.digest })) };
}

/** Reads `repository[:tag]`, which has no host. */
function relativeName(text: string, where: string): FoundArtifact["name"] {
  try {
    const { repository, tag } = parseReference(`oci://local.invalid/${text}`);
    return { repository, tag };
  } catch {
    throw componentError(
      "InvalidComponent",
      `${where}: access.referenceName: expected repository[:tag], found ${JSON.stringify(text)}`,
    );
  }
}
