import { FunctionError } from "@landscaper/golang";
import { isRecord } from "../describe-value.ts";

type JsonMap = Readonly<Record<string, unknown>>;

/** An entry of the lists of a descriptor. */
export type Element = JsonMap;

/** What template functions read of a component descriptor, in either schema (ocm.md §2). */
export interface Descriptor {
  readonly name: string;
  readonly version: string;
  readonly resources: readonly Element[];
  readonly references: readonly Element[];
  /** The last one is the effective one. */
  readonly repositoryContexts: readonly unknown[];
}

/** Reads a descriptor of schema v2 or v3alpha1. Throws FunctionError for anything else. */
export function readDescriptor(value: unknown): Descriptor {
  if (!isRecord(value)) throw new FunctionError("there is no component descriptor here");
  const { component, metadata, spec } = value;
  if (isRecord(component)) {
    return { ...readName(component), ...readLists(component, component, "componentReferences") };
  }
  if (!isRecord(metadata)) throw new FunctionError("the map is no component descriptor of schema v2 or v3alpha1");
  return { ...readName(metadata), ...readLists(isRecord(spec) ? spec : {}, value, "references") };
}

function readName({ name, version }: JsonMap): Pick<Descriptor, "name" | "version"> {
  return { name: textOf(name), version: textOf(version) };
}

function readLists(lists: JsonMap, contexts: JsonMap, references: string): Omit<Descriptor, "name" | "version"> {
  const { repositoryContexts } = contexts;
  return {
    resources: elementsOf(lists["resources"]),
    references: elementsOf(lists[references]),
    repositoryContexts: Array.isArray(repositoryContexts) ? repositoryContexts : [],
  };
}

function elementsOf(list: unknown): readonly Element[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Name and version of the component that a reference leads to. */
export function referencedComponent(reference: Element): { readonly name: string; readonly version: string } {
  return { name: textOf(reference["componentName"]), version: textOf(reference["version"]) };
}

/** Name and extra identity: what templates select by (ocm.md §12). */
export function selectableIdentity({ name, extraIdentity }: Element): JsonMap {
  return { ...(isRecord(extraIdentity) ? extraIdentity : {}), name };
}

/** The identity in a list: with the version where name and extra identity are not unique (ocm.md §2.3). */
export function uniqueIdentity(element: Element, list: readonly Element[]): JsonMap {
  const own = selectableIdentity(element);
  const isUnique = list.every((other) => other === element || !isSame(selectableIdentity(other), own));
  return isUnique ? own : { ...own, version: element["version"] };
}

function isSame(a: JsonMap, b: JsonMap): boolean {
  return Object.keys(a).length === Object.keys(b).length && hasAll(a, b);
}

/** Whether an identity has all attributes of a selector. */
export function hasAll(identity: JsonMap, selector: JsonMap): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(identity, key) && identity[key] === value);
}
