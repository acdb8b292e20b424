import { quoteText } from "@landscaper/api";
import {
  componentText,
  formatDescriptor,
  parseAccess,
  parseDescriptor,
  type ComponentConstructor,
  type ComponentDescriptor,
  type Resource,
  type Source,
  type WithInput,
} from "@landscaper/ocm";
import { componentError, withPlace } from "../component-error.ts";
import { repositoryIn, storeComponent, type LocalLayer } from "../write/store-component.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import type { Building, BuildOptions, BuildPlace, ElementPlace, PlacedContent } from "./building.ts";
import { openInput } from "./open-input.ts";
import { placeAccess } from "./place-access.ts";
import { localAccess, sha256Digest } from "./resource-fields.ts";

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

async function buildComponent(
  constructor: ComponentConstructor,
  { target, options, present }: BuildPlace,
): Promise<ComponentDescriptor> {
  const { where, name } = constructor;
  const layers: LocalLayer[] = [];
  const building: Building = { constructor, target, options, present, add: (layer) => void layers.push(layer) };
  const resources: Resource[] = [];
  for (const [index, resource] of constructor.resources.entries()) {
    const place = `${where}: resources[${index}] ${quoteText(resource.name)}`;
    resources.push(await buildResource(resource, { place, kind: "resource", index }, building));
  }
  const sources: Source[] = [];
  for (const [index, source] of constructor.sources.entries()) {
    const place = `${where}: sources[${index}] ${quoteText(source.name)}`;
    sources.push(await buildSource(source, { place, kind: "source", index }, building));
  }
  const made = parseDescriptor(documentOf(constructor, { resources, sources }), where);
  const document = formatDescriptor(made, constructor.schemaVersion ?? options.schemaVersion);
  const descriptor = parseDescriptor(document, `${where}: component ${name}`);
  await storeComponent(target, descriptor, { layers, signal: options.signal });
  return descriptor;
}

async function buildResource(element: WithInput<Resource>, at: ElementPlace, building: Building): Promise<Resource> {
  const { input: _, skipsDigest, digest, ...others } = element;
  const made: PlacedContent = await placeContent(element, at, building);
  const found = digest ?? (skipsDigest === true ? undefined : await made.findDigest());
  const { options } = building;
  if (found === undefined && skipsDigest !== true) warnOfDigest(made.access, at.place, options.warn);
  return { ...others, access: made.access, ...(found === undefined ? {} : { digest: found }) };
}

/** Sources have no digests. */
async function buildSource(element: WithInput<Source>, at: ElementPlace, building: Building): Promise<Source> {
  const { input: _, skipsDigest: __, ...source } = element;
  return { ...source, access: (await placeContent(element, at, building)).access };
}

async function placeContent(
  { name, input, access }: WithInput<Resource | Source>,
  at: ElementPlace,
  building: Building,
): Promise<PlacedContent> {
  if (input === undefined) return await placeAccess(access, at, building);
  return await storeInput({ input, name, ...at }, building);
}

interface InputToStore extends ElementPlace {
  readonly input: NonNullable<WithInput<Resource>["input"]>;
  /** Of the element. */
  readonly name: string;
}

async function storeInput(
  { input, name: element, place, kind, index }: InputToStore,
  { constructor: { name, version }, target, options, add }: Building,
): Promise<PlacedContent> {
  const { signal } = options;
  const component = { name, version };
  const where = `${place}: input`;
  const content = await withPlace(where, async () => await openInput(input, { ...options, component, element, where }));
  try {
    const { mediaType, artifact } = content;
    const repository = repositoryIn(target, name);
    const blob = await withPlace(where, async () => await target.sink.pushBlob(repository, content.stream, { signal }));
    add({ ...blob, mediaType, kind, index });
    const digest = sha256Digest(
      artifact === undefined ? "genericBlobDigest/v1" : "ociArtifactDigest/v1",
      artifact?.digest ?? blob.digest,
    );
    return {
      access: localAccess(blob.digest, mediaType, artifact?.referenceName),
      findDigest: async () => digest,
    };
  } finally {
    await content.close?.();
  }
}

/** Content that nothing here reads: signing cannot fill its digest in. */
function warnOfDigest(access: NonNullable<Resource["access"]>, place: string, warn: BuildOptions["warn"]): void {
  const parsed = parseAccess(access, place);
  if (parsed.kind !== "other") return;
  warn(
    `${place}: access: content of the type ${quoteText(parsed.type)} is not read: the resource has no digest. To sign the component, give \`digest\``,
  );
}
