import {
  componentText,
  formatDescriptor,
  parseAccess,
  parseDescriptor,
  type Access,
  type ComponentConstructor,
  type ComponentDescriptor,
  type Resource,
  type SchemaVersion,
  type Source,
  type WithInput,
} from "@landscaper/ocm";
import { MissingContentError, componentError } from "../component-error.ts";
import { isPackedArtifact } from "../archive/pack-artifact.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentVersion, LocalContent as StoredContent } from "../repository/component-version.ts";
import { localAccess, sha256Digest } from "./resource-fields.ts";
import type { ResolveArtifact } from "../verify/resource-digest.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import { repositoryIn, storeComponent, type LocalLayer } from "../write/store-component.ts";
import type { OpenInputOptions } from "./input-tools.ts";
import { openInput } from "./open-input.ts";

export interface BuildOptions extends CallOptions, Pick<OpenInputOptions, "folder" | "tools" | "warn"> {
  /** Of descriptors whose constructor names none. */
  readonly schemaVersion: SchemaVersion;
  /** Whether a version that is there already is replaced. */
  readonly overwrite: boolean;
  /** The digest of an artifact in a registry; undefined: digests of such resources are left to signing. */
  readonly resolveArtifact: ResolveArtifact | undefined;
}

/**
 * Stores the component versions of a constructor file, all of them or none (docs/reference/components.md#component-archives-and-transfer). Throws LandscaperError that
 * names component and element.
 */
export async function buildComponents(
  constructors: readonly ComponentConstructor[],
  target: TargetRepository,
  options: BuildOptions,
): Promise<readonly ComponentDescriptor[]> {
  const built: ComponentDescriptor[] = [];
  try {
    for (const constructor of constructors) {
      const { where, name, version, warnings } = constructor;
      for (const warning of warnings) options.warn(warning);
      // Names and versions are checked before they become places.
      const empty = parseDescriptor(documentOf(constructor, { resources: [], sources: [] }), where);
      const text = componentText(empty);
      if (built.some((other) => componentText(other) === text)) {
        throw componentError("InvalidComponent", `${where}: the file has component ${text} twice. Remove one.`);
      }
      const present = await target.find({ name, version }, options);
      if (present !== undefined && !options.overwrite) {
        throw componentError(
          "InvalidComponent",
          `${where}: the target already has component ${text}. To replace it, use --overwrite.`,
        );
      }
      built.push(await buildComponent(constructor, { target, options, present }));
    }
    await target.sink.commit();
  } catch (error) {
    await target.sink.discard();
    throw error;
  }
  return built;
}

interface Lists {
  readonly resources: readonly Resource[];
  readonly sources: readonly Source[];
}

function documentOf(constructor: ComponentConstructor, { resources, sources }: Lists): object {
  const { name, version, provider, labels, creationTime, references, repositoryContexts } = constructor;
  return {
    apiVersion: "ocm.software/v3alpha1",
    kind: "ComponentVersion",
    metadata: { name, version, provider, labels, creationTime },
    repositoryContexts,
    spec: { sources, references, resources },
  };
}

/** Where component versions are built. */
interface BuildPlace {
  readonly target: TargetRepository;
  readonly options: BuildOptions;
  /** The version that is replaced. */
  readonly present: ComponentVersion | undefined;
}

async function buildComponent(
  constructor: ComponentConstructor,
  { target, options, present }: BuildPlace,
): Promise<ComponentDescriptor> {
  const { where, name } = constructor;
  const layers: LocalLayer[] = [];
  const building: Building = { constructor, target, options, present, add: (layer) => void layers.push(layer) };
  const resources: Resource[] = [];
  for (const [index, resource] of constructor.resources.entries()) {
    const place = `${where}: resources[${index}] "${resource.name}"`;
    resources.push(await buildResource(resource, { place, kind: "resource", index }, building));
  }
  const sources: Source[] = [];
  for (const [index, source] of constructor.sources.entries()) {
    const place = `${where}: sources[${index}] "${source.name}"`;
    sources.push(await buildSource(source, { place, kind: "source", index }, building));
  }
  const made = parseDescriptor(documentOf(constructor, { resources, sources }), where);
  const document = formatDescriptor(made, constructor.schemaVersion ?? options.schemaVersion);
  const descriptor = parseDescriptor(document, `${where}: component ${name}`);
  await storeComponent(target, descriptor, { layers, signal: options.signal });
  return descriptor;
}

interface Building extends BuildPlace {
  readonly constructor: ComponentConstructor;
  readonly add: (layer: LocalLayer) => void;
}

/** An element of the component. */
interface ElementPlace extends Pick<LocalLayer, "kind" | "index"> {
  /** Begins messages. */
  readonly place: string;
}

async function buildResource(
  { input, skipsDigest, ...resource }: WithInput<Resource>,
  at: ElementPlace,
  building: Building,
): Promise<Resource> {
  const { digest, ...others } = resource;
  const made: Made =
    input === undefined ? await placeAccess(resource, at, building) : await storeInput({ input, ...at }, building);
  const found = digest ?? (skipsDigest === true ? undefined : await made.findDigest());
  const { options } = building;
  if (found === undefined && skipsDigest !== true) warnOfDigest(made.access, at.place, options.warn);
  return { ...others, access: made.access, ...(found === undefined ? {} : { digest: found }) };
}

/** Sources have no digests. */
async function buildSource(element: WithInput<Source>, at: ElementPlace, building: Building): Promise<Source> {
  const { input, skipsDigest: _, ...source } = element;
  if (input !== undefined) return { ...source, access: (await storeInput({ input, ...at }, building)).access };
  return { ...source, access: (await placeAccess(source, at, building)).access };
}

/** Where the content of an element lies. */
interface Made {
  readonly access: NonNullable<Resource["access"]>;
  readonly findDigest: () => Promise<Resource["digest"]>;
}

interface InputToStore extends ElementPlace {
  readonly input: NonNullable<WithInput<Resource>["input"]>;
}

async function storeInput(
  { input, place, kind, index }: InputToStore,
  { constructor: { name, version }, target, options, add }: Building,
): Promise<Made> {
  const { signal } = options;
  const content = await openInput(input, { ...options, component: { name, version }, where: `${place}: input` });
  try {
    const { mediaType, artifact } = content;
    const blob = await target.sink.pushBlob(repositoryIn(target, name), content.stream, { signal });
    add({ ...blob, mediaType, kind, index });
    const digest = sha256Digest(
      artifact === undefined ? "genericBlobDigest/v1" : "ociArtifactDigest/v1",
      artifact?.digest ?? blob.digest,
    );
    return {
      access: localAccess(blob.digest, mediaType, artifact?.referenceName),
      findDigest: async () => Promise.resolve(digest),
    };
  } finally {
    await content.close?.();
  }
}

async function placeAccess({ access }: Pick<Resource, "access">, at: ElementPlace, building: Building): Promise<Made> {
  const { options } = building;
  const parsed = parseAccess(access, at.place);
  if (access === undefined) throw new Error("the parser has checked it");
  if (parsed.kind === "local") return await placeLocal({ ...parsed, access }, at, building);
  return { access, findDigest: async () => await digestOfAccess(parsed, options) };
}

interface LocalContent {
  readonly reference: string;
  readonly mediaType: string | undefined;
  readonly access: NonNullable<Resource["access"]>;
}

/** Local content of the version that is replaced stays; else its global access is used. Throws LandscaperError. */
async function placeLocal(
  { reference, access, ...local }: LocalContent,
  { place, kind, index }: ElementPlace,
  { target, options, present, constructor: { name }, add }: Building,
): Promise<Made> {
  const { signal, warn } = options;
  const content = await findPresent(present, reference);
  if (content !== undefined) {
    const mediaType = local.mediaType ?? content.mediaType;
    const blob = await target.sink.pushBlob(repositoryIn(target, name), content.stream({ signal }), { signal });
    add({ ...blob, mediaType, kind, index });
    const referenceName: unknown = Reflect.get(access, "referenceName");
    const digest = sha256Digest("genericBlobDigest/v1", blob.digest);
    return {
      access: localAccess(blob.digest, mediaType, typeof referenceName === "string" ? referenceName : undefined),
      findDigest: async () => Promise.resolve(isPackedArtifact(mediaType) ? undefined : digest),
    };
  }
  const globalAccess = globalAccessOf(access);
  if (globalAccess === undefined) {
    throw componentError(
      "InvalidComponent",
      `${place}: access: ${target.text} has no content ${JSON.stringify(reference)} of this component version: local content is made by an input`,
    );
  }
  warn(
    `${place}: access: the target has no local content ${JSON.stringify(reference)}; the resource uses its globalAccess instead`,
  );
  const parsed = parseAccess(globalAccess, `${place}: access.globalAccess`);
  return { access: globalAccess, findDigest: async () => await digestOfAccess(parsed, options) };
}

async function findPresent(
  present: ComponentVersion | undefined,
  reference: string,
): Promise<StoredContent | undefined> {
  try {
    return await present?.findLocal(reference);
  } catch (error) {
    if (error instanceof MissingContentError) return undefined;
    throw error;
  }
}

function globalAccessOf(access: object): NonNullable<Resource["access"]> | undefined {
  const value: unknown = Reflect.get(access, "globalAccess");
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  const { type } = value;
  return typeof type === "string" ? { ...value, type } : undefined;
}

async function digestOfAccess(access: Access, { resolveArtifact, signal }: BuildOptions): Promise<Resource["digest"]> {
  if (access.kind === "blob" && access.digest.startsWith("sha256:")) {
    return sha256Digest("genericBlobDigest/v1", access.digest);
  }
  if (access.kind !== "artifact" || resolveArtifact === undefined) return undefined;
  return sha256Digest("ociArtifactDigest/v1", await resolveArtifact(access.reference, { signal }));
}

/** Content that nothing here reads: signing cannot fill its digest in. */
function warnOfDigest(access: NonNullable<Resource["access"]>, place: string, warn: BuildOptions["warn"]): void {
  const parsed = parseAccess(access, place);
  if (parsed.kind !== "other") return;
  warn(
    `${place}: access: content of the type ${JSON.stringify(parsed.type)} is not read: the resource has no digest. To sign the component, give \`digest\``,
  );
}
