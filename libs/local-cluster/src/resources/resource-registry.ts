import type { ResourceDefinition } from "./resource-definition.ts";
import { groupVersionOf } from "./resource-definition.ts";

/** The resources that the cluster serves at the moment: the built-in ones and those of established CRDs. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, ResourceDefinition>();
  readonly #byKind = new Map<string, ResourceDefinition>();
  readonly #byStorage = new Map<string, ResourceDefinition>();
  readonly #dropListeners = new Map<string, Set<() => void>>();
  #version = 0;

  constructor(definitions: readonly ResourceDefinition[]) {
    for (const definition of definitions) this.add(definition);
  }

  /** Grows with every change, so that discovery documents can be kept. */
  get version(): number {
    return this.#version;
  }

  add(definition: ResourceDefinition): void {
    const groupVersion = groupVersionOf(definition);
    this.#byPath.set(`${groupVersion}/${definition.plural}`, definition);
    this.#byKind.set(`${groupVersion}/${definition.kind}`, definition);
    // The first one stays: the storage form of events is the core one.
    if (!this.#byStorage.has(definition.storage)) this.#byStorage.set(definition.storage, definition);
    this.#version += 1;
  }

  remove(definition: ResourceDefinition): void {
    const groupVersion = groupVersionOf(definition);
    this.#byPath.delete(`${groupVersion}/${definition.plural}`);
    this.#byKind.delete(`${groupVersion}/${definition.kind}`);
    if (this.#byStorage.get(definition.storage) === definition) this.#byStorage.delete(definition.storage);
    this.#version += 1;
  }

  find(groupVersion: string, plural: string): ResourceDefinition | undefined {
    return this.#byPath.get(`${groupVersion}/${plural}`);
  }

  findKind(apiVersion: string, kind: string): ResourceDefinition | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  /** Removes a definition that nothing replaces: whoever watches its objects is told that there will be no more. */
  drop(definition: ResourceDefinition): void {
    this.remove(definition);
    const key = keyOf(definition);
    for (const listener of this.#dropListeners.get(key) ?? []) listener();
    this.#dropListeners.delete(key);
  }

  /** Calls `listener` once when the definition, or one that has replaced it, is dropped; the returned function ends it. */
  onDrop(definition: ResourceDefinition, listener: () => void): () => void {
    const key = keyOf(definition);
    const listeners = this.#dropListeners.get(key) ?? new Set();
    listeners.add(listener);
    this.#dropListeners.set(key, listeners);
    return () => listeners.delete(listener);
  }

  /** Any version of the resource whose objects are in `storage`. */
  findStorage(storage: string): ResourceDefinition | undefined {
    return this.#byStorage.get(storage);
  }

  all(): readonly ResourceDefinition[] {
    return [...this.#byPath.values()];
  }
}

function keyOf(definition: ResourceDefinition): string {
  return `${groupVersionOf(definition)}/${definition.plural}`;
}
