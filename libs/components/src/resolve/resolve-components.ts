import { componentText, type ComponentDescriptor, type Reference, type RepositoryContext } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentName } from "../repository/component-version.ts";

/** What has a descriptor, whatever else it has. */
export interface Described {
  readonly descriptor: ComponentDescriptor;
}

/** What a reference leads to. */
export interface ComponentTarget extends ComponentName {
  /** The repository that it lies in, where that is another one than that of the component that refers to it. */
  readonly context?: RepositoryContext | undefined;
}

export interface FindOptions extends CallOptions {
  /** The reference that leads to it, for messages. */
  readonly from: string;
}

export interface ResolveOptions<V extends Described> extends CallOptions {
  /** Asked once for each component version. */
  readonly find: (component: ComponentTarget, options: FindOptions) => Promise<V | undefined>;
  /** What a reference leads to; it may be another component version than it says. Default: what it says. */
  readonly targetOf?: ((reference: Reference) => ComponentTarget) | undefined;
  /** What is not asked for. Default: everything is. */
  readonly isSkipped?: ((component: ComponentTarget) => boolean) | undefined;
  /** Component versions that are asked for at the same time. */
  readonly concurrency: number;
}

/** More component versions than any landscape has, and deeper ones. */
export const graphLimits = { components: 1000, depth: 100 };

/**
 * The component version and all that its references lead to, to any depth: depth first in the order of references, each once, whatever rings there are (docs/reference/components.md#resolution). Throws
 * LandscaperError for a reference that leads nowhere, and for more than the limits allow.
 */
export async function resolveComponents<V extends Described>(
  root: V,
  options: ResolveOptions<V>,
): Promise<readonly V[]> {
  const graph = new Graph(root, options);
  for (let level = [root], depth = 0; level.length > 0; depth += 1) {
    if (depth >= graphLimits.depth) throw tooMuch(root, `deeper than ${graphLimits.depth}`);
    level = await graph.fetchNext(level);
  }
  return graph.inOrder();
}

class Graph<V extends Described> {
  readonly #root: V;
  readonly #options: ResolveOptions<V>;
  readonly #found = new Map<string, V>();

  constructor(root: V, options: ResolveOptions<V>) {
    this.#root = root;
    this.#options = options;
    this.#found.set(componentText(root.descriptor), root);
  }

  /** What references of these lead to and is not known yet. */
  async fetchNext(level: readonly V[]): Promise<V[]> {
    const wanted = new Map<string, { readonly component: ComponentTarget; readonly from: string }>();
    for (const { descriptor } of level) {
      for (const reference of descriptor.references) {
        const component = this.#targetOf(reference);
        const key = componentText(component);
        const from = `component ${componentText(descriptor)}: reference "${reference.name}"`;
        const isKnown = this.#found.has(key) || wanted.has(key);
        if (!isKnown && this.#options.isSkipped?.(component) !== true) wanted.set(key, { component, from });
      }
    }
    if (this.#found.size + wanted.size > graphLimits.components) {
      throw tooMuch(this.#root, `more than ${graphLimits.components}`);
    }
    const next: V[] = [];
    const queue = [...wanted];
    const work = async (): Promise<void> => {
      for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
        const [key, { component, from }] = entry;
        const version = await this.#options.find(component, { signal: this.#options.signal, from });
        if (version === undefined) throw componentError("InvalidComponent", `${from}: component ${key} is not there`);
        this.#found.set(key, version);
        next.push(version);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(this.#options.concurrency, queue.length) }, work));
    } finally {
      // Who is left of those that work at the same time finds nothing more to do.
      queue.length = 0;
    }
    return next;
  }

  inOrder(): readonly V[] {
    const ordered = new Set<V>();
    const visit = (version: V): void => {
      if (ordered.has(version)) return;
      ordered.add(version);
      for (const reference of version.descriptor.references) {
        const next = this.#found.get(componentText(this.#targetOf(reference)));
        if (next !== undefined) visit(next);
      }
    };
    visit(this.#root);
    return [...ordered];
  }

  #targetOf(reference: Reference): ComponentTarget {
    const own = { name: reference.componentName, version: reference.version };
    return this.#options.targetOf?.(reference) ?? own;
  }
}

function tooMuch({ descriptor }: Described, what: string): Error {
  const own = componentText(descriptor);
  return componentError("InvalidComponent", `component ${own}: the component versions that it refers to are ${what}`);
}
