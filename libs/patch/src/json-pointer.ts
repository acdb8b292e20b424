import { getField, hasField, isJsonObject, setField } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/** The place that a JSON pointer names: a field of an object or an index of a list, existing or not. */
export type Location = { readonly container: JsonObject | unknown[]; readonly key: string };

type Lookup = { readonly value?: unknown; readonly failure?: string };

/** The container of the place that `pointer` names, or `undefined` when it does not exist. The empty pointer has none. */
export function findContainer(document: unknown, pointer: string): Location | undefined {
  const tokens = pointer.split("/").slice(1).map(decodeToken);
  const key = tokens.pop();
  if (key === undefined) {
    return undefined;
  }
  let container = document;
  for (const token of tokens) {
    if (!isJsonObject(container) && !Array.isArray(container)) {
      return undefined;
    }
    container = getAt({ container, key: token }).value;
  }
  return isJsonObject(container) || Array.isArray(container) ? { container, key } : undefined;
}

function decodeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The value at a place; a missing field is no failure, an index outside of the list is. */
export function getAt({ container, key }: Location): Lookup {
  if (!Array.isArray(container)) {
    return { value: getField(container, key) };
  }
  const index = parseIndex(key, container.length);
  return typeof index === "string" ? { failure: index } : { value: container[index] };
}

/** Replaces the value at a place for which {@link getAt} did not fail. */
export function setAt({ container, key }: Location, value: unknown): void {
  if (!Array.isArray(container)) {
    setField(container, key, value);
    return;
  }
  const index = parseIndex(key, container.length);
  if (typeof index === "number") {
    container[index] = value;
  }
}

/** Sets a field or inserts into a list ("-" appends). Returns what prevents it. */
export function addAt({ container, key }: Location, value: unknown): string | undefined {
  if (!Array.isArray(container)) {
    setField(container, key, value);
    return undefined;
  }
  if (key === "-") {
    container.push(value);
    return undefined;
  }
  const index = parseIndex(key, container.length + 1);
  if (typeof index === "string") {
    return index.startsWith("strconv") ? `value was not a proper array index: '${key}': ${index}` : index;
  }
  container.splice(index, 0, value);
  return undefined;
}

/** Removes a field or a list item. Returns what prevents it. */
export function removeAt({ container, key }: Location): string | undefined {
  if (!Array.isArray(container)) {
    if (!hasField(container, key)) {
      return `Unable to remove nonexistent key: ${key}: missing value`;
    }
    delete container[key];
    return undefined;
  }
  const index = parseIndex(key, container.length);
  if (typeof index === "string") {
    return index;
  }
  container.splice(index, 1);
  return undefined;
}

/** The index below `limit`; negative ones count back from it. A string is the message of what is wrong. */
function parseIndex(token: string, limit: number): number | string {
  if (!/^[+-]?\d+$/.test(token)) {
    return `strconv.Atoi: parsing ${JSON.stringify(token)}: invalid syntax`;
  }
  const index = Number(token);
  if (index >= limit || index < -limit) {
    return `Unable to access invalid index: ${index}: invalid index referenced`;
  }
  return index < 0 ? index + limit : index;
}
