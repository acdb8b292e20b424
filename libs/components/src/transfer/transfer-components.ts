import { parseReference } from "@landscaper/oci";
import {
  changeDescriptor,
  componentText,
  normalise,
  parseAccess,
  withRepositoryContext,
  type ComponentDescriptor,
  type Resource,
  type Source,
} from "@landscaper/ocm";
import { isPackedArtifact } from "../archive/pack-artifact.ts";
import { componentError } from "../component-error.ts";
import type { ComponentName, ComponentRepository, ComponentVersion } from "../repository/component-version.ts";
import { resolveComponents } from "../resolve/resolve-components.ts";
import { storeComponent, type LocalLayer } from "../write/store-component.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import { placeContent, type PlaceOptions } from "./place-content.ts";

export interface TransferOptions extends Omit<PlaceOptions, "where"> {
  /** Whether the component versions that references lead to are transferred, too. */
  readonly recursive: boolean;
  /** Whether a different version in the target is replaced. */
  readonly overwrite: boolean;
}

/** What happened to a component version. */
export interface Transferred extends ComponentName {
  /** "present": an equal one was there already. */
  readonly outcome: "copied" | "present";
}

const concurrency = 4;

/**
 * Copies a component version into another repository with the content that lies beside it; digests and signatures stay what they are
 * (docs/reference/components.md#component-archives-and-transfer). Versions come after those that they refer to, each whole or not at all. Throws LandscaperError.
 */
export async function transferComponents(
  root: ComponentVersion,
  { from, to }: { readonly from: ComponentRepository; readonly to: TargetRepository },
  options: TransferOptions,
): Promise<readonly Transferred[]> {
  const { signal } = options;
  const find = async (
    { name, version }: ComponentName,
    { from: place }: { readonly from: string },
  ): Promise<ComponentVersion> => {
    const found = await from.find({ name, version }, { signal });
    if (found !== undefined) return found;
    throw componentError(
      "InvalidComponent",
      `${place}: expected component ${componentText({ name, version })} in ${from.text}, found none. Add it there, or copy the component version without --recursive.`,
    );
  };
  const versions = options.recursive ? await resolveComponents(root, { find, concurrency, signal }) : [root];
  const transferred: Transferred[] = [];
  for (const version of versions.toReversed()) {
    const { name, version: own } = version.descriptor;
    transferred.push({ name, version: own, outcome: await transferOne(version, to, options) });
  }
  return transferred;
}

async function transferOne(
  version: ComponentVersion,
  target: TargetRepository,
  options: TransferOptions,
): Promise<Transferred["outcome"]> {
  const { descriptor } = version;
  const present = await target.find(descriptor, options);
  if (present !== undefined && isSameComponent(present.descriptor, descriptor)) {
    if (!options.copyResources || !hasMoreToCopy(present.descriptor, target)) return "present";
  } else if (present !== undefined && !options.overwrite) {
    throw componentError(
      "InvalidComponent",
      `${target.text}: a different component ${componentText(descriptor)} is there already; --overwrite replaces it`,
    );
  }
  try {
    const { layers, ...lists } = await placeAll(version, target, options);
    const { context } = target;
    const placed = context === undefined ? descriptor : withRepositoryContext(descriptor, context);
    await storeComponent(target, changeDescriptor(placed, lists), { layers, signal: options.signal });
    await target.sink.commit();
  } catch (error) {
    await target.sink.discard();
    throw error;
  }
  return "copied";
}

interface Placed {
  readonly resources: readonly Resource[];
  readonly sources: readonly Source[];
  readonly layers: readonly LocalLayer[];
}

async function placeAll(
  version: ComponentVersion,
  target: TargetRepository,
  options: TransferOptions,
): Promise<Placed> {
  const { descriptor } = version;
  const layers: LocalLayer[] = [];
  const place = async <E extends Resource | Source>(
    element: E,
    { kind, index }: Pick<LocalLayer, "kind" | "index">,
  ): Promise<E> => {
    const where = `component ${componentText(descriptor)}: ${kind} "${element.name}"`;
    const { access, layer } = await placeContent(element, { version, target }, { ...options, where });
    if (layer !== undefined) layers.push({ ...layer, kind, index });
    return access === undefined ? element : { ...element, access };
  };
  const resources: Resource[] = [];
  for (const [index, resource] of descriptor.resources.entries()) {
    resources.push(await place(resource, { kind: "resource", index }));
  }
  const sources: Source[] = [];
  for (const [index, source] of descriptor.sources.entries()) {
    sources.push(await place(source, { kind: "source", index }));
  }
  return { resources, sources, layers };
}

/** Whether the same is signed, with all signatures of `other`: nothing of it would be lost. */
export function isSameComponent(present: ComponentDescriptor, other: ComponentDescriptor): boolean {
  if (contentKey(present) !== contentKey(other)) return false;
  const known = new Set((present.signatures ?? []).map((signature) => JSON.stringify(signature)));
  return (other.signatures ?? []).every((signature) => known.has(JSON.stringify(signature)));
}

/** Content without a digest is told apart by where it lies. */
function contentKey(descriptor: ComponentDescriptor): string {
  const undigested = descriptor.resources.map(({ digest, access }) => (digest === undefined ? access : undefined));
  return JSON.stringify([normalise(descriptor, "jsonNormalisation/v3"), undigested]);
}

/** Whether a resource is in another registry than the target, or is packed where it could have a repository of its own. */
function hasMoreToCopy({ resources }: ComponentDescriptor, { registry }: TargetRepository): boolean {
  return resources.some(({ access }) => {
    const parsed = access === undefined ? undefined : parseAccess(access, "");
    if (parsed?.kind === "local") return registry !== undefined && isPackedArtifact(parsed.mediaType);
    return parsed?.kind === "artifact" && parseReference(parsed.reference).host !== registry?.host;
  });
}
