import { checkIsAsked } from "@landscaper/components";
import {
  componentText,
  parseAccess,
  parseDescriptor,
  selectElements,
  type Access,
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

/** Finds the resource of a key in the descriptor of its component. Throws LandscaperError. */
export function findChartResource({ text, key, where }: ResourceQuery): ChartResource {
  const descriptor = parseDescriptor(Buffer.from(text).toString("utf8"), where);
  checkIsAsked(descriptor, key.component, where);
  const { version, ...identity } = key.resource;
  const named = selectElements(descriptor.resources, identity);
  const found = version === undefined ? named[0] : named.find((each) => each.version === version);
  const component = `component ${componentText(descriptor)}`;
  if (found === undefined) {
    const attributes = Object.entries(key.resource).map(([name, value]) => `${name} ${value}`);
    throw invalidChart(`chart.resourceRef: ${component} has no resource with ${attributes.join(", ")}`);
  }
  return { access: parseAccess(found.access, `${component}: resource "${found.name}"`), digest: found.digest };
}
