import { toGoJson } from "@landscaper/goyaml";
import type { Element } from "./descriptor-schemas.ts";

/** Attributes that tell elements of a list apart, or those that are looked for. */
export type Identity = Readonly<Record<string, string>>;

/** Name and extra identity: what tells elements apart first (docs/reference/components.md#selecting-resources). */
function baseIdentity({ name, extraIdentity }: Element): Identity {
  return { ...extraIdentity, name };
}

/** The identity in a list: with the version where name and extra identity are not unique (docs/reference/components.md#descriptors). */
export function uniqueIdentity(element: Element, list: readonly Element[]): Identity {
  const own = baseIdentity(element);
  const isUnique = list.every((other) => other === element || !isSame(baseIdentity(other), own));
  return isUnique || element.version === undefined ? own : { ...own, version: element.version };
}

/**
 * All elements that have every attribute of the selector, in the order of the list. The attribute `version` is the version of the element, or one of its
 * extra identity.
 */
export function selectElements<T extends Element>(list: readonly T[], selector: Identity): readonly T[] {
  const { version, ...others } = selector;
  return list.filter((element) => {
    const own = baseIdentity(element);
    return hasAll(own, others) && (version === undefined || element.version === version || hasAll(own, { version }));
  });
}

/** The element whose whole identity in the list is the selector; undefined if there is none. */
export function findByIdentity<T extends Element>(list: readonly T[], selector: Identity): T | undefined {
  return selectElements(list, selector).find((element) => isSame(uniqueIdentity(element, list), selector));
}

/** The element whose whole identity in the list is the selector, else the first one that has its attributes. */
export function selectElement<T extends Element>(list: readonly T[], selector: Identity): T | undefined {
  return findByIdentity(list, selector) ?? selectElements(list, selector)[0];
}

/** Equal for elements of one name, extra identity and version. */
export function identityKey(element: Element): string {
  return toGoJson([element.version ?? "", baseIdentity(element)]);
}

/** Index of the first element that an earlier one of the list equals in name, extra identity and version; -1 for none. */
export function findDuplicate(list: readonly Element[]): number {
  const seen = new Set<string>();
  return list.findIndex((element) => {
    const key = identityKey(element);
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  });
}

function isSame(a: Identity, b: Identity): boolean {
  return Object.keys(a).length === Object.keys(b).length && hasAll(a, b);
}

function hasAll(identity: Identity, selector: Identity): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(identity, key) && identity[key] === value);
}

/** Reads `NAME[,key=value...]`; undefined for anything else. */
export function parseIdentity(text: string): Identity | undefined {
  const [name = "", ...pairs] = text.split(",");
  const attributes = pairs.map((pair) => /^([^=]+)=(.*)$/s.exec(pair));
  if (name === "") return undefined;
  if (attributes.some((match) => match === null || match[1] === "name")) return undefined;
  return { ...Object.fromEntries(attributes.map((match) => [match?.[1] ?? "", match?.[2] ?? ""])), name };
}

/** The reverse of `parseIdentity`. */
export function formatIdentity({ name = "", ...attributes }: Identity): string {
  return [name, ...Object.entries(attributes).map(([key, value]) => `${key}=${value}`)].join(",");
}

/** Returns the selector of an element alone: `NAME[,key=value...]`, with the version if name and extra identity are not unique. */
export function identityText(element: Element, list: readonly Element[]): string {
  return formatIdentity(uniqueIdentity(element, list));
}
