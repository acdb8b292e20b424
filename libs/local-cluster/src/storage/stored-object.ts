import type { UnstructuredObject } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";

/** Characters of a text that is below the limits of the store whatever the characters are. */
const surelySmall = 256 * 1024;

/** One immutable revision of an object with its JSON, which is made once and shared by all answers and watches. */
export class StoredObject {
  /** In the storage version; never change it. */
  readonly object: UnstructuredObject;
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  #tail: string | undefined;
  #convertedTails: Map<string, string> | undefined;

  constructor(object: UnstructuredObject, revision: number) {
    this.object = object;
    this.revision = revision;
    this.namespace = object.metadata.namespace ?? "";
    this.name = object.metadata.name ?? "";
    this.uid = object.metadata.uid ?? "";
  }

  /** The object in the form of `definition`'s version. */
  in(definition: ResourceDefinition): UnstructuredObject {
    const { kind } = definition;
    const converted = definition.convert?.fromStorage(this.object) ?? this.object;
    return { ...converted, kind, apiVersion: groupVersionOf(definition) };
  }

  /** Whether the size needs a closer look; the text that is measured for it is needed for the answer anyway. */
  mayBeTooLarge(): boolean {
    this.#tail ??= tailOf(this.object);
    return this.#tail.length > surelySmall;
  }

  json(definition: ResourceDefinition): string {
    return `{"kind":"${definition.kind}","apiVersion":"${groupVersionOf(definition)}",${this.#tailFor(definition)}`;
  }

  /** As an item of a list: built-in kinds come without kind and apiVersion there. */
  itemJson(definition: ResourceDefinition): string {
    return definition.custom ? this.json(definition) : `{${this.#tailFor(definition)}`;
  }

  #tailFor(definition: ResourceDefinition): string {
    const { convert } = definition;
    if (convert === undefined) return (this.#tail ??= tailOf(this.object));
    this.#convertedTails ??= new Map();
    const known = this.#convertedTails.get(definition.version);
    if (known !== undefined) return known;
    const tail = tailOf(convert.fromStorage(this.object));
    this.#convertedTails.set(definition.version, tail);
    return tail;
  }
}

/** JSON without kind, apiVersion and the opening brace. */
function tailOf(object: UnstructuredObject): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  return JSON.stringify({ metadata, ...rest }).slice(1);
}
