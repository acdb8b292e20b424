import type { ResourceDefinition } from "./resource-definition.ts";
import { groupVersionOf } from "./resource-definition.ts";

/** The resources that the cluster serves at the moment: the built-in ones and those of established CRDs. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, ResourceDefinition>();
  readonly #byKind = new Map<string, ResourceDefinition>();
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
    this.#version += 1;
  }

  remove(definition: ResourceDefinition): void {
    const groupVersion = groupVersionOf(definition);
    this.#byPath.delete(`${groupVersion}/${definition.plural}`);
    this.#byKind.delete(`${groupVersion}/${definition.kind}`);
    this.#version += 1;
  }

  find(groupVersion: string, plural: string): ResourceDefinition | undefined {
    return this.#byPath.get(`${groupVersion}/${plural}`);
  }

  findKind(apiVersion: string, kind: string): ResourceDefinition | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  all(): readonly ResourceDefinition[] {
    return [...this.#byPath.values()];
  }
}
