import type { ComponentVersionOverwrite } from "@landscaper/api";
import { digestOf } from "@landscaper/oci";
import {
  canonicalJson,
  componentText,
  hashOf,
  listComponents,
  parseAccess,
  parseDescriptor,
  withRepositoryContext,
  type ComponentDescriptor,
  type ComponentLookup,
  type FoundResource,
  type RepositoryContext,
} from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import { describeOverwrite, overwriteReference, type ComponentReference } from "../overwrite/overwrite-reference.ts";
import type { ComponentName } from "../repository/component-version.ts";
import { checkIsAsked } from "../repository/read-component.ts";
import { isInlineContext } from "../repository/repository-context.ts";
import { resolveComponents, type ComponentTarget } from "../resolve/resolve-components.ts";
import { describeRequest, type ContentRequest, type ContentUse } from "./component-request.ts";
import { openInlineRepository, type InlineRepository } from "./inline-repository.ts";
import { SuppliesLacking, type Supply, type SupplyReader } from "./supplies.ts";

/** The component version that an Installation names, and what its Context says of components. Plain data. */
export interface ComponentSelection {
  readonly root: ComponentName | { readonly inline: unknown };
  /** The repository that the Installation names, else its Context. */
  readonly context: RepositoryContext | undefined;
  readonly overwrites: readonly ComponentVersionOverwrite[];
  /** Whether the OCM configuration names repositories. */
  readonly hasResolvers: boolean;
}

/** Keeps descriptors that were read, by a key that names their bytes. */
export interface DescriptorCache {
  get(key: string): ComponentDescriptor | undefined;
  set(key: string, descriptor: ComponentDescriptor): void;
}

export interface ClosureOptions {
  readonly supplies: SupplyReader;
  /** Begins messages about an inline descriptor. */
  readonly where: string;
  readonly cache?: DescriptorCache | undefined;
}

/** A component version and all that its references lead to. */
export interface Closure {
  readonly root: ComponentDescriptor;
  /** Depth first in the order of references, the root first, each once. */
  readonly components: readonly ComponentDescriptor[];
  /** What a reference leads to, after overwrites. */
  readonly lookup: ComponentLookup;
  /** What a reference leads to by its own words. Throws SuppliesLacking. */
  readonly lookupOriginal: ComponentLookup;
  /** The repository that references of subinstallations are looked for in. */
  readonly context: RepositoryContext | undefined;
  /** Whether the descriptor stands in the Installation itself. */
  readonly isInline: (component: ComponentDescriptor) => boolean;
  /** What overwrites have made of the Installation's own reference; undefined for nothing. */
  readonly overwritten: string | undefined;
  /** The content of a resource. Throws SuppliesLacking, and LandscaperError for an access that is not valid. */
  readonly contentOf: (found: FoundResource, use: ContentUse) => Supply;
  /** sha256 of the text of a component's descriptor; of one that stands in the Installation or in a repository context, of its canonical JSON. */
  readonly digestOf: (component: ComponentDescriptor) => string;
  /** The hash of a resource's content in hex, made in the way of its own digest, which must be there. Throws as `contentOf`. */
  readonly hashOf: (found: FoundResource) => string;
}

/** More at a time than there may be: all that a level of the graph lacks is told at once. */
const everything = 100_000;

/**
 * Reads a component version with all that its references lead to from what has been fetched (docs/reference/components.md#resolution). Pure. Throws SuppliesLacking as long as
 * something is to be fetched, and LandscaperError for what is not a component.
 */
export async function readClosure(selection: ComponentSelection, options: ClosureOptions): Promise<Closure> {
  return await new ClosureReader(selection, options).read();
}

class ClosureReader {
  readonly #selection: ComponentSelection;
  readonly #options: ClosureOptions;
  readonly #inline = new Map<string, ComponentDescriptor>();
  /** By their contexts as JSON. */
  readonly #inlineRepositories = new Map<string, InlineRepository>();
  /** Of descriptors that were read as texts. */
  readonly #digests = new Map<ComponentDescriptor, string>();
  #context: RepositoryContext | undefined;

  constructor(selection: ComponentSelection, options: ClosureOptions) {
    this.#selection = selection;
    this.#options = options;
    this.#context = selection.context;
  }

  async read(): Promise<Closure> {
    await this.#openInlineRepositories();
    const { root, overwritten } = this.#readRoot();
    const found = await this.#resolve(root);
    const components = found.map(({ descriptor }) => descriptor);
    const byText = new Map(components.map((component) => [componentText(component), component]));
    return {
      root,
      components,
      lookup: (component) => byText.get(componentText(this.#targetOf(component))),
      lookupOriginal: (component) => this.#find({ ...component, context: this.#context }),
      context: this.#context,
      isInline: (component) => this.#inline.get(componentText(component)) === component,
      overwritten,
      contentOf: (resource, use) => this.#contentOf(resource, use),
      digestOf: (component) => this.#digests.get(component) ?? digestOfDocument(component),
      hashOf: (resource) => this.#hashOf(resource),
    };
  }

  /** Those that may be named: they are read here, because nothing of them has to be fetched. */
  async #openInlineRepositories(): Promise<void> {
    const { root, context, overwrites } = this.#selection;
    const own =
      "inline" in root ? parseDescriptor(root.inline, this.#options.where).repositoryContexts.at(-1) : undefined;
    const contexts = [own, context, ...overwrites.map(({ substitution }) => substitution.repositoryContext)];
    for (const each of contexts) {
      if (each === undefined || !isInlineContext(each)) continue;
      this.#inlineRepositories.set(JSON.stringify(each), await openInlineRepository(each));
    }
  }

  #inlineRepository(context: RepositoryContext | undefined): InlineRepository | undefined {
    return context === undefined ? undefined : this.#inlineRepositories.get(JSON.stringify(context));
  }

  #readRoot(): { readonly root: ComponentDescriptor; readonly overwritten?: string | undefined } {
    const { root, context } = this.#selection;
    if ("inline" in root) return { root: this.#readInline(root.inline) };
    const before = { componentName: root.name, version: root.version, repositoryContext: context };
    const after = overwriteReference(before, this.#selection.overwrites);
    this.#context = after.repositoryContext;
    return { root: this.#find(toTarget(after)), overwritten: describeOverwrite(before, after) };
  }

  /** The descriptor with those in its labels is a repository that comes first; that of its last context is the second one. */
  #readInline(inline: unknown): ComponentDescriptor {
    const { where } = this.#options;
    const root = parseDescriptor(inline, where);
    for (const component of listComponents(root, where)) this.#inline.set(componentText(component), component);
    this.#context = root.repositoryContexts.at(-1) ?? this.#selection.context;
    return root;
  }

  async #resolve(root: ComponentDescriptor): Promise<readonly { readonly descriptor: ComponentDescriptor }[]> {
    const { supplies } = this.#options;
    try {
      return await resolveComponents(
        { descriptor: root },
        {
          find: async (component, { from }) => ({ descriptor: this.#find(component, from) }),
          targetOf: (reference) => this.#targetOf({ name: reference.componentName, version: reference.version }),
          isSkipped: (component) => this.#isNowhere(component),
          concurrency: everything,
          // Nothing is waited for.
          signal: new AbortController().signal,
        },
      );
    } catch (error) {
      // The first one of a level knows only of itself.
      throw error instanceof SuppliesLacking ? new SuppliesLacking(supplies.lacking) : error;
    }
  }

  #targetOf({ name, version }: ComponentName): ComponentTarget {
    const reference = { componentName: name, version, repositoryContext: this.#context };
    return toTarget(overwriteReference(reference, this.#selection.overwrites));
  }

  /** References of an inline descriptor may lead to what nobody looks for, as long as no repository is named. */
  #isNowhere(component: ComponentTarget): boolean {
    const hasRepository = component.context !== undefined || this.#selection.hasResolvers;
    return "inline" in this.#selection.root && !hasRepository && !this.#inline.has(componentText(component));
  }

  #find({ name, version, context }: ComponentTarget, from?: string): ComponentDescriptor {
    const component = { name, version };
    const inline = this.#inline.get(componentText(component));
    if (inline !== undefined) return inline;
    const repository = this.#inlineRepository(context);
    if (repository !== undefined && context !== undefined)
      return withRepositoryContext(repository.find(component), context);
    return this.#parse(component, this.#options.supplies.get({ type: "descriptor", component, context, from }));
  }

  #parse(component: ComponentName, { bytes, digest, where, context }: Supply): ComponentDescriptor {
    const { cache } = this.#options;
    const key = JSON.stringify([digest, context ?? null]);
    const known = cache?.get(key);
    const place = `component ${componentText(component)} in ${where}`;
    const read = known ?? parseDescriptor(Buffer.from(bytes).toString("utf8"), place);
    checkIsAsked(read, component, place);
    const descriptor = known ?? (context === undefined ? read : withRepositoryContext(read, context));
    if (known === undefined) cache?.set(key, descriptor);
    this.#digests.set(descriptor, digest);
    return descriptor;
  }

  #contentOf(found: FoundResource, use: ContentUse): Supply {
    const { inline, ...request } = this.#requestOf(found);
    if (inline !== undefined) this.#checkInline(found, inline);
    return inline?.() ?? this.#options.supplies.get({ ...request, type: "content", use });
  }

  /** Others are compared when they are fetched. */
  #checkInline({ component, resource }: FoundResource, inline: () => Supply): void {
    const { digest, name } = resource;
    if (digest?.normalisationAlgorithm !== "genericBlobDigest/v1") return;
    const where = `component ${componentText(component)}: resource "${name}"`;
    const found = hashOf(inline().bytes, digest.hashAlgorithm, where);
    if (found === digest.value.toLowerCase()) return;
    throw componentError(
      "InvalidComponent",
      `${where}: digest mismatch: the descriptor has ${digest.value}, the content ${found}`,
    );
  }

  #hashOf(found: FoundResource): string {
    const { inline, digest, ...request } = this.#requestOf(found);
    const where = describeRequest({ ...request, digest, type: "content", use: "content" });
    if (digest === undefined) throw componentError("InvalidComponent", `${where}: it has no digest`);
    if (inline === undefined) return this.#options.supplies.get({ ...request, digest, type: "digest" }).digest;
    if (digest.normalisationAlgorithm === "genericBlobDigest/v1")
      return hashOf(inline().bytes, digest.hashAlgorithm, where);
    throw componentError("InvalidComponent", `${where}: digests of ${digest.normalisationAlgorithm} are not made here`);
  }

  /** `inline`: gives content that lies in a repository context. */
  #requestOf({
    component,
    resource,
  }: FoundResource): Omit<ContentRequest, "type" | "use"> & { readonly inline?: () => Supply } {
    const where = `component ${componentText(component)}: resource "${resource.name}"`;
    const context = component.repositoryContexts.at(-1) ?? this.#context;
    const access = parseAccess(resource.access, where);
    const repository = this.#inlineRepository(context);
    const request = {
      component: { name: component.name, version: component.version },
      context,
      resource: resource.name,
      access,
      digest: resource.digest,
    };
    if (repository === undefined || access.kind !== "local") return request;
    return { ...request, inline: () => repository.contentOf(access.reference, access.mediaType) };
  }
}

/** The digest of a descriptor that has no text of its own. */
export function digestOfDocument({ document }: ComponentDescriptor): string {
  return digestOf(Buffer.from(canonicalJson(document)));
}

function toTarget({ componentName, version, repositoryContext }: ComponentReference): ComponentTarget {
  return { name: componentName, version, context: repositoryContext };
}
