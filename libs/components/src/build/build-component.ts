import {
  componentText,
  formatDescriptor,
  hasNoContent,
  parseAccess,
  parseDescriptor,
  type ComponentConstructor,
  type ComponentDescriptor,
  type Resource,
  type SchemaVersion,
  type Source,
  type WithInput,
} from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import { localAccess, sha256Digest } from "./resource-fields.ts";
import type { ResolveArtifact } from "../verify/resource-digest.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import { repositoryIn, storeComponent, type LocalLayer } from "../write/store-component.ts";
import { openInput, type OpenInputOptions } from "./open-input.ts";

export interface BuildOptions extends CallOptions, Pick<OpenInputOptions, "folder" | "readChart"> {
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
      const { where, name, version } = constructor;
      // Names and versions are checked before they become places.
      const empty = parseDescriptor(documentOf(constructor, { resources: [], sources: [] }), where);
      const isTwice = built.some((other) => componentText(other) === componentText(empty));
      const isThere = isTwice || (await target.find({ name, version }, options)) !== undefined;
      if (isTwice || (isThere && !options.overwrite)) {
        const hint = isTwice ? "" : "; --overwrite replaces it";
        throw componentError("InvalidComponent", `${where}: component ${componentText(empty)} is there already${hint}`);
      }
      built.push(await buildComponent(constructor, target, options));
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
  const { name, version, provider, labels, creationTime, references } = constructor;
  return {
    apiVersion: "ocm.software/v3alpha1",
    kind: "ComponentVersion",
    metadata: { name, version, provider, labels, creationTime },
    repositoryContexts: [],
    spec: { sources, references, resources },
  };
}

async function buildComponent(
  constructor: ComponentConstructor,
  target: TargetRepository,
  options: BuildOptions,
): Promise<ComponentDescriptor> {
  const { where, name } = constructor;
  const layers: LocalLayer[] = [];
  const building: Building = { constructor, target, options, add: (layer) => void layers.push(layer) };
  const resources: Resource[] = [];
  for (const [at, resource] of constructor.resources.entries()) {
    const place = `${where}: resources[${at}] "${resource.name}"`;
    resources.push(await buildResource(resource, { place, index: at }, building));
  }
  const sources: Source[] = [];
  for (const [at, { input, ...source }] of constructor.sources.entries()) {
    const place = `${where}: sources[${at}] "${source.name}"`;
    if (input === undefined) sources.push(source);
    else {
      const { access } = await storeInput({ input, place, kind: "source", index: at }, building);
      sources.push({ ...source, access });
    }
  }
  const made = parseDescriptor(documentOf(constructor, { resources, sources }), where);
  const document = formatDescriptor(made, options.schemaVersion);
  const descriptor = parseDescriptor(document, `${where}: component ${name}`);
  await storeComponent(target, descriptor, { layers, signal: options.signal });
  return descriptor;
}

interface Building {
  readonly constructor: ComponentConstructor;
  readonly target: TargetRepository;
  readonly options: BuildOptions;
  readonly add: (layer: LocalLayer) => void;
}

async function buildResource(
  { input, ...resource }: WithInput<Resource>,
  { place, index }: Pick<InputToStore, "place" | "index">,
  building: Building,
): Promise<Resource> {
  if (input !== undefined) {
    return { ...resource, ...(await storeInput({ input, place, kind: "resource", index }, building)) };
  }
  const digest = resource.digest ?? (await digestOfAccess(resource, place, building.options));
  return digest === undefined ? resource : { ...resource, digest };
}

interface InputToStore {
  readonly input: NonNullable<WithInput<Resource>["input"]>;
  readonly place: string;
  readonly kind: LocalLayer["kind"];
  readonly index: number;
}

async function storeInput(
  { input, place, kind, index }: InputToStore,
  { constructor: { name }, target, options, add }: Building,
): Promise<Required<Pick<Resource, "access" | "digest">>> {
  const { signal } = options;
  const content = await openInput(input, { ...options, componentName: name, where: `${place}: input` });
  const { mediaType, artifact } = content;
  const blob = await target.sink.pushBlob(repositoryIn(target, name), content.stream, { signal });
  add({ ...blob, mediaType, kind, index });
  return {
    access: localAccess(blob.digest, mediaType, artifact?.referenceName),
    digest: sha256Digest(
      artifact === undefined ? "genericBlobDigest/v1" : "ociArtifactDigest/v1",
      artifact?.digest ?? blob.digest,
    ),
  };
}

async function digestOfAccess(
  { access }: Resource,
  place: string,
  { resolveArtifact, signal }: BuildOptions,
): Promise<Resource["digest"]> {
  if (hasNoContent(access)) return undefined;
  const parsed = parseAccess(access, place);
  if (parsed.kind === "local") {
    throw componentError("InvalidComponent", `${place}: access: local content is made by an input`);
  }
  if (parsed.kind === "blob" && parsed.digest.startsWith("sha256:")) {
    return sha256Digest("genericBlobDigest/v1", parsed.digest);
  }
  if (parsed.kind !== "artifact" || resolveArtifact === undefined) return undefined;
  return sha256Digest("ociArtifactDigest/v1", await resolveArtifact(parsed.reference, { signal }));
}
