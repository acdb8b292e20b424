import { LandscaperError } from "@landscaper/api";
import { formatReference, parseReference, type ImageReference } from "@landscaper/oci";
import {
  componentText,
  parseAccess,
  parseResourceKey,
  selectElement,
  type ComponentDescriptor,
  type Resource,
  type ResourceKey,
} from "@landscaper/ocm";
import type { Closure } from "../supply/closure.ts";
import type { ChartPin, ComponentPins } from "./component-pins.ts";

/** Repositories that stand in their context have no limit of their own, and annotations have one. */
const maxRepositoryLength = 32_768;

/** What is there is not what the job was rendered with, with both digests. */
export function changedError(what: string, { pinned, found }: { pinned: string; found: string }): LandscaperError {
  return new LandscaperError({
    message: `${what}: digest mismatch: the job was rendered with ${pinned}, the repository now has ${found}`,
    reason: "ComponentChanged",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "trigger the root Installation again when the change is meant",
    retry: "never",
  });
}

/** A tag has been moved after the job has read what it named first, with both digests. */
export function movedError(what: string, { first, found }: { first: string; found: string }): LandscaperError {
  return new LandscaperError({
    message: `${what}: its tag has moved during the job, which has begun with ${first}; the repository now has ${found}`,
    reason: "ComponentChanged",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "trigger the root Installation again when the change is meant",
    retry: "never",
  });
}

/**
 * The closure, where it is what the pins say (docs/reference/components.md#pins); what they say nothing of passes, unless they were verified. Throws LandscaperError with the reason
 * ComponentChanged or VerifySignature.
 */
export function checkPins(closure: Closure, pins: ComponentPins): Closure {
  for (const component of closure.components) {
    const text = componentText(component);
    const pinned = Object.hasOwn(pins.components, text) ? pins.components[text] : undefined;
    const found = closure.digestOf(component);
    if (pinned !== undefined && pinned !== found)
      throw changedError(`component ${text}: descriptor`, { pinned, found });
    if (pinned === undefined && pins.isVerified) {
      throw new LandscaperError({
        message: `component ${text}: it is not among the components that were verified with the root Installation`,
        reason: "VerifySignature",
        operation: "InitPrerequisites",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        retry: "never",
      });
    }
  }
  return {
    ...closure,
    lookupOriginal: pins.isVerified ? closure.lookup : closure.lookupOriginal,
    contentOf: (found, use) => {
      const supply = closure.contentOf(found, use);
      const pinned = use === "blueprint" ? pins.blueprint : undefined;
      if (pinned === undefined || pinned === supply.digest) return supply;
      const what = `component ${componentText(found.component)}: resource "${found.resource.name}"`;
      throw changedError(what, { pinned, found: supply.digest });
    },
  };
}

/** Digests of the descriptors of a component and all that it refers to. */
export function pinComponents(closure: Closure, root: ComponentDescriptor): Readonly<Record<string, string>> {
  const found = new Map<string, ComponentDescriptor>();
  const visit = (component: ComponentDescriptor): void => {
    const text = componentText(component);
    if (found.has(text)) return;
    found.set(text, component);
    for (const { componentName: name, version } of component.references) {
      const next = closure.lookup({ name, version });
      if (next !== undefined) visit(next);
    }
  };
  visit(root);
  const entries = [...found].map(([text, component]) => [text, closure.digestOf(component)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A helm item's `chart`, as far as it can name a resource of a component; the image of a container item as `ref`. */
export interface PinnedChart {
  readonly ref?: unknown;
  readonly resourceRef?: unknown;
}

/** Gives what the chart, or the image, of an item must be; undefined for one that is not of these components. */
export function createChartPinner(closure: Closure): (chart: PinnedChart) => ChartPin | undefined {
  let manifests: ReadonlyMap<string, string> | undefined;
  const pinReference = (text: string): ChartPin | undefined => {
    const wanted = orUndefined(() => parseReference(text.trim()));
    if (wanted === undefined || wanted.digest !== undefined) return undefined;
    manifests ??= manifestsOf(closure);
    const manifest = manifests.get(placeOf(wanted));
    return manifest === undefined ? undefined : { manifest };
  };
  return ({ ref, resourceRef }) => {
    const byReference = typeof ref === "string" && ref !== "" ? pinReference(ref) : undefined;
    const byKey = typeof resourceRef === "string" && resourceRef !== "" ? pinKey(resourceRef, closure) : undefined;
    return byReference === undefined && byKey === undefined ? undefined : { ...byKey, ...byReference };
  };
}

/** The component that a key names, when it can be read. */
export function componentOfKey(text: string): string | undefined {
  const key = orUndefined(() => parseResourceKey(text));
  return key === undefined ? undefined : componentText(key.component);
}

function pinKey(text: string, closure: Closure): ChartPin | undefined {
  const key = orUndefined(() => parseResourceKey(text));
  if (key === undefined) return undefined;
  const name = componentText(key.component);
  const component = closure.components.find((each) => componentText(each) === name);
  const digest = component === undefined ? undefined : resourceOf(component, key)?.digest;
  if (component === undefined) return undefined;
  const found = component.repositoryContexts.at(-1) ?? closure.context;
  const repository = JSON.stringify(found ?? null).length > maxRepositoryLength ? undefined : found;
  return {
    component: name,
    // One that stands in the Installation has no text that a deployer could compare.
    ...(closure.isInline(component) ? {} : { descriptor: closure.digestOf(component) }),
    ...(repository === undefined ? {} : { repository }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function resourceOf(component: ComponentDescriptor, { resource }: ResourceKey): Resource | undefined {
  return selectElement(component.resources, resource);
}

/** A reference to the place in a registry where a resource lies; undefined for one that lies beside its descriptor, or elsewhere. */
export function artifactReference({ access, name }: Resource): string | undefined {
  const parsed = orUndefined(() => parseAccess(access, name));
  if (parsed?.kind === "artifact") return parsed.reference;
  return parsed?.kind === "blob" ? parsed.repository : undefined;
}

/** Digests of the manifests that artifacts of these components have, by place; the first component that tells one counts. */
function manifestsOf({ components }: Closure): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const component of components) {
    for (const { access, digest, name } of component.resources) {
      const parsed = orUndefined(() => parseAccess(access, name));
      if (parsed?.kind !== "artifact") continue;
      const reference = orUndefined(() => parseReference(parsed.reference));
      if (reference === undefined || found.has(placeOf(reference))) continue;
      const isOfManifest =
        digest?.normalisationAlgorithm.startsWith("oci") === true && /^sha-?256$/i.test(digest?.hashAlgorithm ?? "");
      const manifest = isOfManifest && digest !== undefined ? `sha256:${digest.value.toLowerCase()}` : reference.digest;
      if (manifest !== undefined) found.set(placeOf(reference), manifest);
    }
  }
  return found;
}

function placeOf({ host, repository, tag = "latest" }: ImageReference): string {
  return formatReference({ host, repository, tag });
}

/** What cannot be read is a matter of those who use it. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}
