import { changedError, checkIsAsked, readClosure, SupplyReader } from "@landscaper/components";
import {
  componentText,
  parseAccess,
  parseDescriptor,
  selectElements,
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

/** Throws LandscaperError when the descriptor is another one than the item was rendered with. */
export function checkDescriptor(
  component: string,
  { pinned, found }: { readonly pinned: string | undefined; readonly found: string },
): void {
  if (pinned !== undefined && pinned !== found) throw changedError(`${component}: descriptor`, { pinned, found });
}

export interface InlineChartQuery {
  /** With the components in it. */
  readonly repository: RepositoryContext;
  readonly key: ResourceKey;
  readonly descriptor: string | undefined;
  readonly digest: Resource["digest"];
}

/** A chart that lies in its repository context (docs/reference/components.md#inline-repositories). Throws LandscaperError. */
export async function readInlineChart({ repository, key, descriptor, digest }: InlineChartQuery): Promise<Uint8Array> {
  const selection = { root: key.component, context: repository, overwrites: [], hasResolvers: false };
  const closure = await readClosure(selection, { supplies: new SupplyReader([]), where: "chart.resourceRef" });
  const component = closure.root;
  checkDescriptor(`component ${componentText(component)}`, { pinned: descriptor, found: closure.digestOf(component) });
  const resource = selectResource(component, key);
  const pinned = digest === undefined ? resource : { ...resource, digest };
  return closure.contentOf({ component, resource: pinned }, "content").bytes;
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
  const { version, ...identity } = key.resource;
  const named = selectElements(descriptor.resources, identity);
  const found = version === undefined ? named[0] : named.find((each) => each.version === version);
  if (found !== undefined) return found;
  const attributes = Object.entries(key.resource).map(([name, value]) => `${name} ${value}`);
  const component = `component ${componentText(descriptor)}`;
  throw invalidChart(`chart.resourceRef: ${component} has no resource with ${attributes.join(", ")}`);
}
