import { parseJson } from "@landscaper/json";
import { getField, isJsonObject, setField } from "../json-object.ts";

/**
 * A set of field paths in the form of the API's FieldsV1: a tree of path elements. `f:name` is a field, `k:{"name":"a"}` the item of a list
 * with these keys, `v:"x"` the item of that value. A node without children is in the set; one with children is when it has the element `.`.
 * The root is never in the set: `{}` is the empty set. Sets are never changed.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

export const emptyFieldSet: FieldSet = {};

/** The element that marks a node with children as being in the set itself. */
const self = ".";

/** Children of a node while it is built. */
type Draft = Record<string, FieldSet>;

export function isEmptySet(set: FieldSet): boolean {
  for (const _element in set) return false;
  return true;
}

/** Path elements below a node, without the mark of the node itself. */
export function elementsOf(set: FieldSet): readonly string[] {
  return Object.keys(set).filter((element) => element !== self);
}

/** The node below `element`, or undefined. */
export function childOf(set: FieldSet | undefined, element: string): FieldSet | undefined {
  return set !== undefined && Object.hasOwn(set, element) ? set[element] : undefined;
}

/** Whether a node, which is not the root, is in the set itself and not only a part of longer paths. */
export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && (Object.hasOwn(node, self) || isEmptySet(node));
}

/** A node from its parts; undefined when nothing of it is in the set. */
export function makeNode(isIn: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmptySet(children)) return isIn ? emptyFieldSet : undefined;
  return isIn ? { [self]: emptyFieldSet, ...children } : children;
}

export function unionSets(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptySet(right)) return left;
  if (isEmptySet(left)) return right;
  const result: Draft = {};
  for (const element of elementsOf(left)) {
    const node = unionNodes(left[element], childOf(right, element));
    if (node !== undefined) setField(result, element, node);
  }
  for (const element of elementsOf(right)) {
    const node = right[element];
    if (node !== undefined && !Object.hasOwn(left, element)) setField(result, element, node);
  }
  return result;
}

function unionNodes(left: FieldSet | undefined, right: FieldSet | undefined): FieldSet | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  if (left === right) return left;
  return makeNode(isMember(left) || isMember(right), unionSets(childrenOf(left), childrenOf(right)));
}

/** The paths of `left` that are not in `right`; what lies below a path of `right` stays. */
export function subtractSets(left: FieldSet, right: FieldSet): FieldSet {
  return mapNodes(left, (node, element) => {
    const other = childOf(right, element);
    if (other === undefined) return node;
    return makeNode(isMember(node) && !isMember(other), subtractSets(childrenOf(node), childrenOf(other)));
  });
}

/** The paths of `left` that neither are in `right` nor lie below a path of it. */
export function subtractTrees(left: FieldSet, right: FieldSet): FieldSet {
  return mapNodes(left, (node, element) => {
    const other = childOf(right, element);
    if (other === undefined) return node;
    if (isMember(other)) return undefined;
    return makeNode(isMember(node), subtractTrees(childrenOf(node), childrenOf(other)));
  });
}

export function intersectSets(left: FieldSet, right: FieldSet): FieldSet {
  return mapNodes(left, (node, element) => {
    const other = childOf(right, element);
    if (other === undefined) return undefined;
    return makeNode(isMember(node) && isMember(other), intersectSets(childrenOf(node), childrenOf(other)));
  });
}

/** Answers `set` itself when no node changes. */
function mapNodes(set: FieldSet, map: (node: FieldSet, element: string) => FieldSet | undefined): FieldSet {
  const result: Draft = {};
  let hasChanged = false;
  for (const element of elementsOf(set)) {
    const node = set[element] ?? emptyFieldSet;
    const mapped = map(node, element);
    hasChanged ||= mapped !== node;
    if (mapped !== undefined) setField(result, element, mapped);
  }
  return hasChanged || Object.hasOwn(set, self) ? result : set;
}

/** A node as a set of its own: its children without the mark. */
export function childrenOf(node: FieldSet): FieldSet {
  if (!Object.hasOwn(node, self)) return node;
  const { [self]: _mark, ...children } = node;
  return children;
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = childOf(node, element);
  return path.length > 0 && isMember(node);
}

/** The set of one path of field names: `fieldPath("spec", "replicas")`. */
export function fieldPath(...names: readonly string[]): FieldSet {
  return names.reduceRight<FieldSet>((node, name) => ({ [`f:${name}`]: node }), emptyFieldSet);
}

/** All paths of a set as the API server's messages show them, e.g. `.spec.containers[name="a"].image`: of each node itself, then below. */
export function formatFieldPaths(set: FieldSet, prefix = ""): string[] {
  const elements = elementsOf(set).toSorted(compareElements);
  const own = elements.filter((element) => isMember(set[element])).map((element) => prefix + formatElement(element));
  const below = elements.flatMap((element) => {
    const node = childrenOf(set[element] ?? emptyFieldSet);
    return isEmptySet(node) ? [] : formatFieldPaths(node, prefix + formatElement(element));
  });
  return [...own, ...below];
}

const elementOrder = "fkvi";

function compareElements(left: string, right: string): number {
  const kinds = elementOrder.indexOf(left.charAt(0)) - elementOrder.indexOf(right.charAt(0));
  return kinds === 0 ? (left < right ? -1 : 1) : kinds;
}

/** `.name`, `[key="value"]`, `[="value"]` or `[0]`. */
export function formatElement(element: string): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case "f":
      return `.${rest}`;
    case "k": {
      const keys: unknown = parseJson(rest);
      const parts = isJsonObject(keys) ? Object.entries(keys) : [];
      return `[${parts.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
    }
    case "v":
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}

/** Reads a FieldsV1 value that comes from outside, keys and values in their one canonical form. Undefined when it is none. */
export function parseFieldsV1(value: unknown): FieldSet | undefined {
  if (!isJsonObject(value)) return undefined;
  const result: Draft = {};
  for (const [element, below] of Object.entries(value)) {
    const canonical = canonicalElement(element);
    const node = parseFieldsV1(below);
    if (canonical === undefined || node === undefined) return undefined;
    setField(result, canonical, node);
  }
  return result;
}

function canonicalElement(element: string): string | undefined {
  if (element === self || /^(f:|i:\d+$)/.test(element)) return element;
  const kind = element.slice(0, 2);
  if (kind !== "k:" && kind !== "v:") return undefined;
  try {
    const content: unknown = parseJson(element.slice(2));
    if (kind === "v:") return `v:${JSON.stringify(content)}`;
    return isJsonObject(content) ? keyElement(content) : undefined;
  } catch {
    return undefined;
  }
}

/** The element of a list item with these keys; their order does not matter. */
export function keyElement(keys: Readonly<Record<string, unknown>>): string {
  const sorted = Object.keys(keys).toSorted();
  const entries = sorted.map((key) => `${JSON.stringify(key)}:${JSON.stringify(getField(keys, key))}`);
  return `k:{${entries.join(",")}}`;
}

export function valueElement(value: unknown): string {
  return `v:${JSON.stringify(value)}`;
}
