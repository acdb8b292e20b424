import { toGoJson } from "@landscaper/goyaml";
import type { Element } from "./descriptor-schemas.ts";

/** Attributes that tell elements of a list apart, or those that are looked for. */
export type Identity = Readonly<Record<string, string>>;

/** Name and extra identity: what elements are selected by (docs/reference/components.md#template-functions). The version is no part of it. */
export function selectableIdentity({ name, extraIdentity }: Element): Identity {
  return { ...extraIdentity, name };
}

/** The identity in a list: with the version where name and extra identity are not unique (docs/reference/components.md#descriptors). */
export function uniqueIdentity(element: Element, list: readonly Element[]): Identity {
  const own = selectableIdentity(element);
  const isUnique = list.every((other) => other === element || !isSame(selectableIdentity(other), own));
  return isUnique || element.version === undefined ? own : { ...own, version: element.version };
}

/** All elements whose identity has every attribute of the selector, in the order of the list. */
export function selectElements<T extends Element>(list: readonly T[], selector: Identity): readonly T[] {
  return list.filter((element) => hasAll(selectableIdentity(element), selector));
}

/** Index of the first element that an earlier one of the list equals in name, extra identity and version; -1 for none. */
export function findDuplicate(list: readonly Element[]): number {
  const seen = new Set<string>();
  return list.findIndex((element) => {
    const key = toGoJson([element.version ?? "", selectableIdentity(element)]);
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
