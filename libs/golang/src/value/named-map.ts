import { collectionType, type CollectionType, type GoMap, type Value } from "./value.ts";

/**
 * A map of a named Go type, such as chartutil.Values: a second view of the entries of an ordinary map. Where Go converts
 * the value to its underlying type (an argument of type map[string]interface {}), `underlying` is what it becomes, so that
 * both views see each other's changes.
 */
export class NamedMap extends Map<string, Value> {
  readonly underlying: GoMap;
  readonly [collectionType]: CollectionType;

  constructor(underlying: GoMap, type: CollectionType) {
    super();
    this.underlying = underlying;
    this[collectionType] = type;
  }

  override get size(): number {
    return this.underlying.size;
  }
  override get(key: string): Value {
    return this.underlying.get(key);
  }
  override has(key: string): boolean {
    return this.underlying.has(key);
  }
  override set(key: string, value: Value): this {
    this.underlying.set(key, value);
    return this;
  }
  override delete(key: string): boolean {
    return this.underlying.delete(key);
  }
  override clear(): void {
    this.underlying.clear();
  }
  override keys(): MapIterator<string> {
    return this.underlying.keys();
  }
  override values(): MapIterator<Value> {
    return this.underlying.values();
  }
  override entries(): MapIterator<[string, Value]> {
    return this.underlying.entries();
  }
  override forEach(visit: (value: Value, key: string, map: Map<string, Value>) => void): void {
    for (const [key, value] of this.underlying) visit(value, key, this);
  }
  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.underlying.entries();
  }
}
