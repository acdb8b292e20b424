import {
  changeDescriptor,
  componentText,
  identityText,
  hashOf,
  hasNoContent,
  normalise,
  parseAccess,
  type ComponentDescriptor,
  type Reference,
  type Resource,
} from "@landscaper/ocm";
import { isPackedArtifact } from "../archive/pack-artifact.ts";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { FetchChart } from "../source/fetch-chart.ts";
import type { ComponentName, ComponentVersion } from "../repository/component-version.ts";
import { graphLimits } from "../resolve/resolve-components.ts";
import { digestOfResource, type ResolveArtifact } from "../verify/resource-digest.ts";

export interface FillOptions extends CallOptions {
  readonly normalisationAlgorithm: string;
  readonly hashAlgorithm: string;
  readonly find: (component: ComponentName, options: CallOptions) => Promise<ComponentVersion | undefined>;
  readonly resolveArtifact: ResolveArtifact;
  /** Default: charts of Helm repositories are not read. */
  readonly fetchChart?: FetchChart | undefined;
}

/** A component version with all digests that signatures cover. */
export interface Filled {
  readonly version: ComponentVersion;
  readonly descriptor: ComponentDescriptor;
  /** Whether the stored descriptor lacks some of them. */
  readonly isChanged: boolean;
  /** What is signed. */
  readonly text: string;
}

/**
 * Fills in the digests of resources and references, of the component version and of all that it refers to; those that are there are compared with the content
 * (docs/reference/components.md#signatures). Referenced versions come first, each once. Throws LandscaperError for a digest that differs, and for content
 * that cannot be read and has no digest.
 */
export async function fillDigests(root: ComponentVersion, options: FillOptions): Promise<readonly Filled[]> {
  const walk = new Walk(options);
  await walk.fill(root, []);
  return walk.filled;
}

class Walk {
  readonly #options: FillOptions;
  readonly #filled = new Map<string, Filled>();

  constructor(options: FillOptions) {
    this.#options = options;
  }

  get filled(): readonly Filled[] {
    return [...this.#filled.values()];
  }

  async fill(version: ComponentVersion, path: readonly string[]): Promise<Filled> {
    const { descriptor } = version;
    const own = componentText(descriptor);
    const known = this.#filled.get(own);
    if (known !== undefined) return known;
    if (path.includes(own)) {
      throw invalid(own, `its references go in a ring: ${[...path, own].join(" -> ")}`);
    }
    if (path.length >= graphLimits.depth || this.#filled.size >= graphLimits.components) {
      throw invalid(
        own,
        `expected at most ${graphLimits.components} component versions in ${graphLimits.depth} levels`,
      );
    }
    const resources: Resource[] = [];
    for (const resource of descriptor.resources) resources.push(await this.#fillResource(version, resource));
    const references: Reference[] = [];
    for (const reference of descriptor.references)
      references.push(await this.#fillReference(reference, [...path, own]));
    const filled = this.#result(version, resources, references);
    this.#filled.set(own, filled);
    return filled;
  }

  /** A digest of another normalisation stays in the descriptor; the text has one of the wanted normalisation. */
  #result(version: ComponentVersion, resources: readonly Resource[], filled: readonly Reference[]): Filled {
    const { descriptor } = version;
    const references = descriptor.references.map((reference, at) =>
      reference.digest === undefined ? (filled[at] ?? reference) : reference,
    );
    const isChanged =
      resources.some((resource, at) => resource !== descriptor.resources[at]) ||
      references.some((reference, at) => reference !== descriptor.references[at]);
    const text = normalise(
      changeDescriptor(descriptor, { resources, references: filled }),
      this.#options.normalisationAlgorithm,
    );
    if (!isChanged) return { version, descriptor, isChanged, text };
    return { version, descriptor: changeDescriptor(descriptor, { resources, references }), isChanged, text };
  }

  async #fillResource(version: ComponentVersion, resource: Resource): Promise<Resource> {
    if (hasNoContent(resource.access)) return resource;
    const { signal, resolveArtifact, fetchChart } = this.#options;
    const own = componentText(version.descriptor);
    const name = identityText(resource, version.descriptor.resources);
    const where = `component ${own}: resource "${name}"`;
    const { hashAlgorithm, normalisationAlgorithm } = resource.digest ?? methodOf(resource, where);
    const method = { hashAlgorithm, normalisationAlgorithm };
    const asked = { ...resource, digest: { ...method, value: "" } };
    const found = await digestOfResource(version, asked, { where, signal, resolveArtifact, fetchChart });
    if (resource.digest !== undefined) {
      if ("unread" in found || found.value === resource.digest.value.toLowerCase()) return resource;
      throw invalid(
        own,
        `resource "${name}": digest mismatch: the descriptor has ${resource.digest.value}, the content ${found.value}`,
      );
    }
    if ("unread" in found) {
      throw invalid(own, `resource "${name}": it has no digest, and ${found.unread}`);
    }
    return { ...resource, digest: { ...method, value: found.value } };
  }

  async #fillReference(reference: Reference, path: readonly string[]): Promise<Reference> {
    const { find, signal, normalisationAlgorithm, hashAlgorithm } = this.#options;
    const component = { name: reference.componentName, version: reference.version };
    const key = componentText(component);
    const own = path.at(-1) ?? "";
    const version = this.#filled.get(key)?.version ?? (await find(component, { signal }));
    if (version === undefined) throw invalid(own, `component ${key}, which it refers to, is not there`);
    const value = hashOf((await this.fill(version, path)).text, hashAlgorithm, `component ${key}`);
    const stored = reference.digest;
    const isSameMethod =
      stored?.normalisationAlgorithm === normalisationAlgorithm && stored.hashAlgorithm === hashAlgorithm;
    if (isSameMethod && stored.value.toLowerCase() !== value) {
      throw invalid(
        own,
        `reference "${reference.name}" to ${key}: digest mismatch: the reference has ${stored.value}, the component version ${value}`,
      );
    }
    return { ...reference, digest: { hashAlgorithm, normalisationAlgorithm, value } };
  }
}

/** How the digest of content is made that has none. */
function methodOf(
  { access }: Resource,
  where: string,
): Pick<NonNullable<Resource["digest"]>, "hashAlgorithm" | "normalisationAlgorithm"> {
  const parsed = parseAccess(access, where);
  const isArtifact = parsed.kind === "artifact" || (parsed.kind === "local" && isPackedArtifact(parsed.mediaType));
  return {
    hashAlgorithm: "SHA-256",
    normalisationAlgorithm: isArtifact ? "ociArtifactDigest/v1" : "genericBlobDigest/v1",
  };
}

function invalid(component: string, problem: string): Error {
  return componentError("InvalidComponent", `component ${component}: ${problem}`);
}
