import { parseDescriptor } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { ComponentDescriptor } from "@landscaper/ocm";
import type { CallOptions } from "./artifact-store.ts";
import type { ComponentName, ComponentVersion, StoredComponent } from "./component-version.ts";

/** Reads and parses a component version that was found. Throws LandscaperError, also when it is another one. */
export async function readComponent(
  stored: StoredComponent | undefined,
  component: ComponentName,
  options: CallOptions,
): Promise<ComponentVersion | undefined> {
  if (stored === undefined) return undefined;
  const { bytes, digest } = await stored.readText(options);
  const descriptor = parseDescriptor(Buffer.from(bytes).toString("utf8"), stored.where);
  checkIsAsked(descriptor, component, stored.where);
  return { descriptor, digest, findLocal: (reference) => stored.findLocal(reference) };
}

/** A tag that was moved, or a mapping of names that two components share, must not give another component. */
export function checkIsAsked(descriptor: ComponentDescriptor, { name, version }: ComponentName, where: string): void {
  if (descriptor.name === name && descriptor.version === version) return;
  throw componentError(
    "InvalidComponent",
    `${where}: found the descriptor of ${descriptor.name}:${descriptor.version}`,
  );
}
