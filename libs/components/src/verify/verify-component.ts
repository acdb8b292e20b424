import {
  componentText,
  identityText,
  hasNoContent,
  hashOf,
  normalise,
  verifySignature,
  type ComponentDescriptor,
  type Reference,
  type Resource,
  type TrustedKeys,
} from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { FetchChart } from "../source/fetch-chart.ts";
import type { ComponentName, ComponentVersion } from "../repository/component-version.ts";
import { graphLimits as limits, type Described } from "../resolve/resolve-components.ts";
import { digestOfResource, type ResolveArtifact, type ResourceDigest } from "./resource-digest.ts";

/** What a signature is compared with. */
export interface GraphOptions<V extends Described> {
  readonly signatureName: string;
  readonly keys: TrustedKeys;
  /** The component versions that references lead to. */
  readonly find: (component: ComponentName) => Promise<V | undefined>;
  /** The hash of a resource's content; `where` begins messages. */
  readonly digestOf: (version: V, resource: Resource, where: string) => Promise<ResourceDigest>;
}

export interface VerifyOptions extends CallOptions, Pick<GraphOptions<ComponentVersion>, "signatureName" | "keys"> {
  /** The component versions that references lead to. */
  readonly find: (component: ComponentName, options: CallOptions) => Promise<ComponentVersion | undefined>;
  readonly resolveArtifact: ResolveArtifact;
  /** Default: charts of Helm repositories are not read. */
  readonly fetchChart?: FetchChart | undefined;
}

/** What was compared with the signature, and what could not be. */
export interface Verification {
  /** The component and all that its references lead to, depth first. */
  readonly components: readonly ComponentName[];
  /** Resources whose content is what their digest says. */
  readonly resources: readonly string[];
  /** Resources whose content could not be read here, with the reason: their digests are signed, their content was not looked at. */
  readonly unread: readonly { readonly resource: string; readonly reason: string }[];
}

/**
 * Throws LandscaperError unless the signature is of one of the keys, and covers the component, all component versions that its references lead to and all
 * content that can be read (docs/reference/components.md#signatures).
 */
export async function verifyComponent(root: ComponentVersion, options: VerifyOptions): Promise<Verification> {
  const { signatureName, keys, signal, find, resolveArtifact, fetchChart } = options;
  return await verifyGraph(root, {
    signatureName,
    keys,
    find: async (component) => await find(component, { signal }),
    digestOf: async (version, resource, where) =>
      await digestOfResource(version, resource, { where, signal, resolveArtifact, fetchChart }),
  });
}

/** The same, wherever component versions and hashes come from. */
export async function verifyGraph<V extends Described>(root: V, options: GraphOptions<V>): Promise<Verification> {
  const { descriptor } = root;
  const signature = findSignature(descriptor, options.signatureName);
  const walk = new Walk(options, signature.digest);
  const text = await walk.textOf(root, []);
  verifySignature({ signature, text, keys: options.keys, where: placeOf(descriptor) });
  return walk.verification;
}

/** Throws LandscaperError that names those that are there. */
export function findSignature(
  descriptor: ComponentDescriptor,
  signatureName: string,
): NonNullable<ComponentDescriptor["signatures"]>[number] {
  const signature = descriptor.signatures?.find(({ name }) => name === signatureName);
  if (signature !== undefined) return signature;
  const known = (descriptor.signatures ?? []).map(({ name }) => `"${name}"`).join(", ");
  throw componentError(
    "InvalidComponent",
    `${placeOf(descriptor)}: signature "${signatureName}" not found, it has ${known === "" ? "none" : known}`,
  );
}

function placeOf(descriptor: ComponentDescriptor): string {
  return `component ${componentText(descriptor)}`;
}

interface Method {
  readonly normalisationAlgorithm: string;
  readonly hashAlgorithm: string;
}

/** Makes the text of each component version once. */
class Walk<V extends Described> {
  readonly #options: GraphOptions<V>;
  readonly #method: Method;
  readonly #digests = new Map<string, string>();
  readonly #components: ComponentName[] = [];
  readonly #resources: string[] = [];
  readonly #unread: { readonly resource: string; readonly reason: string }[] = [];

  constructor(options: GraphOptions<V>, { normalisationAlgorithm, hashAlgorithm }: Method) {
    this.#options = options;
    this.#method = { normalisationAlgorithm, hashAlgorithm };
  }

  get verification(): Verification {
    return { components: this.#components, resources: this.#resources, unread: this.#unread };
  }

  /** What is signed of a component version, with digests that were made of what is there. */
  async textOf(version: V, path: readonly string[]): Promise<string> {
    const { descriptor } = version;
    const own = componentText(descriptor);
    if (path.includes(own)) {
      throw componentError(
        "InvalidComponent",
        `component ${own}: its references go in a ring: ${[...path, own].join(" -> ")}`,
      );
    }
    this.#components.push({ name: descriptor.name, version: descriptor.version });
    if (this.#components.length > limits.components || path.length >= limits.depth) {
      const most = path.length >= limits.depth ? `deeper than ${limits.depth}` : `more than ${limits.components}`;
      throw componentError(
        "InvalidComponent",
        `component ${own}: the component versions that it refers to are ${most}`,
      );
    }
    await this.#checkResources(version);
    const references: Reference[] = [];
    for (const reference of descriptor.references) references.push(await this.#checked(reference, [...path, own]));
    return normalise({ ...descriptor, references }, this.#method.normalisationAlgorithm);
  }

  async #checkResources(version: V): Promise<void> {
    const { resources } = version.descriptor;
    for (const resource of resources) {
      const where = `component ${componentText(version.descriptor)}: resource "${identityText(resource, resources)}"`;
      if (hasNoContent(resource.access)) continue;
      const found = await this.#options.digestOf(version, resource, where);
      if ("unread" in found) {
        this.#unread.push({ resource: where, reason: found.unread });
        continue;
      }
      const expected = resource.digest?.value ?? "";
      if (found.value !== expected.toLowerCase()) {
        throw componentError(
          "InvalidComponent",
          `${where}: digest mismatch: the descriptor has ${expected}, the content ${found.value}`,
        );
      }
      this.#resources.push(where);
    }
  }

  /** The reference with the digest of what is there. */
  async #checked(reference: Reference, path: readonly string[]): Promise<Reference> {
    const { normalisationAlgorithm, hashAlgorithm } = this.#method;
    const component = { name: reference.componentName, version: reference.version };
    const key = componentText(component);
    const value = this.#digests.get(key) ?? (await this.#digestOf(component, path));
    this.#digests.set(key, value);
    const stored = reference.digest;
    const isSameMethod =
      stored?.normalisationAlgorithm === normalisationAlgorithm && stored.hashAlgorithm === hashAlgorithm;
    if (isSameMethod && stored.value.toLowerCase() !== value) {
      throw componentError(
        "InvalidComponent",
        `component ${path.at(-1) ?? ""}: reference "${reference.name}" to ${key}: digest mismatch: the reference has ${stored.value}, the component version ${value}`,
      );
    }
    return { ...reference, digest: { normalisationAlgorithm, hashAlgorithm, value } };
  }

  async #digestOf(component: ComponentName, path: readonly string[]): Promise<string> {
    const key = componentText(component);
    if (path.includes(key)) {
      throw componentError(
        "InvalidComponent",
        `component ${key}: its references go in a ring: ${[...path, key].join(" -> ")}`,
      );
    }
    const found = await this.#options.find(component);
    if (found === undefined) {
      throw componentError(
        "InvalidComponent",
        `component ${path.at(-1) ?? ""}: component ${key}, which it refers to, is not there`,
      );
    }
    return hashOf(await this.textOf(found, path), this.#method.hashAlgorithm, `component ${key}`);
  }
}
