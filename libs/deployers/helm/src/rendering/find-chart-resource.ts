import { Readable } from "node:stream";
import {
  changedError,
  checkIsAsked,
  digestOfDocument,
  openInlineRepository,
  withBlobDigest,
} from "@landscaper/components";
import {
  componentText,
  parseAccess,
  parseDescriptor,
  selectElement,
  withRepositoryContext,
  type Access,
  type ComponentDescriptor,
  type RepositoryContext,
  type Resource,
  type ResourceKey,
} from "@landscaper/ocm";
import { invalidChart } from "./chart-failure.ts";

/** Where the content of a resource lies, and what its component says of it. */
export interface ChartResource {
  readonly access: Access;
  readonly digest: Resource["digest"];
}

export interface ResourceQuery {
  /** The descriptor as it is stored. */
  readonly text: Uint8Array;
  readonly key: ResourceKey;
  /** Of the descriptor, for messages. */
  readonly where: string;
}

/** What the core has rendered the item with; undefined for what it says nothing of. */
export interface PinnedResource {
  /** Of the descriptor. */
  readonly descriptor?: string | undefined;
  /** Of the resource, as the descriptor had it. */
  readonly digest?: Resource["digest"];
}

/** Throws LandscaperError when the descriptor is another one than the item was rendered with. */
export function checkDescriptor(component: string, found: string, { descriptor }: PinnedResource): void {
  if (descriptor !== undefined && descriptor !== found)
    throw changedError(`${component}: descriptor`, { pinned: descriptor, found });
}

/** The digest that the content must have. Throws LandscaperError when the descriptor has another one than the item was rendered with. */
export function pinnedDigest(what: string, found: Resource["digest"], { digest }: PinnedResource): Resource["digest"] {
  if (digest === undefined || found === undefined) return digest ?? found;
  const [before, now] = [digest, found].map(
    ({ hashAlgorithm, normalisationAlgorithm, value }) =>
      `${hashAlgorithm}:${value.toLowerCase()} (${normalisationAlgorithm})`,
  ) as [string, string];
  if (before !== now) throw changedError(what, { pinned: before, found: now });
  return digest;
}

export interface InlineChartQuery {
  /** With the components in it. */
  readonly repository: RepositoryContext;
  readonly key: ResourceKey;
  readonly pin: PinnedResource;
}

/** A chart of a component that lies in a repository context: its bytes, or where they lie. */
export type InlineChart = { readonly bytes: Uint8Array } | ChartResource;

/** Reads the component in its repository context (docs/reference/components.md#inline-repositories). Throws LandscaperError. */
export async function readInlineChart({ repository, key, pin }: InlineChartQuery): Promise<InlineChart> {
  const inline = await openInlineRepository(repository);
  const component = withRepositoryContext(inline.find(key.component), repository);
  const name = `component ${componentText(component)}`;
  checkDescriptor(name, digestOfDocument(component), pin);
  const resource = selectResource(component, key);
  const where = `${name}: resource "${resource.name}"`;
  const access = parseAccess(resource.access, where);
  const digest = pinnedDigest(where, resource.digest, pin);
  if (access.kind !== "local") return { access, digest };
  const { bytes } = inline.contentOf(access.reference, access.mediaType);
  // Throws at the end unless it is the content of the digest.
  for await (const _ of withBlobDigest(Readable.from([bytes]), { digest }, where));
  return { bytes };
}

/** Finds the resource of a key in the descriptor of its component. Throws LandscaperError. */
export function findChartResource({ text, key, where }: ResourceQuery): ChartResource {
  const descriptor = parseDescriptor(Buffer.from(text).toString("utf8"), where);
  checkIsAsked(descriptor, key.component, where);
  const found = selectResource(descriptor, key);
  const place = `component ${componentText(descriptor)}: resource "${found.name}"`;
  return { access: parseAccess(found.access, place), digest: found.digest };
}

function selectResource(descriptor: ComponentDescriptor, key: ResourceKey): Resource {
  const found = selectElement(descriptor.resources, key.resource);
  if (found !== undefined) return found;
  const attributes = Object.entries(key.resource).map(([name, value]) => `${name} ${value}`);
  const component = `component ${componentText(descriptor)}`;
  throw invalidChart(`chart.resourceRef: ${component} has no resource with ${attributes.join(", ")}`);
}
