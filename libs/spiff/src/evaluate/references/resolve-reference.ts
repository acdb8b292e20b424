import { printPath } from "../../syntax/print-expression.ts";
import type { Reference } from "../../syntax/expression.ts";
import { mapOf } from "../../value/build-value.ts";
import type { Cell } from "../../value/cell.ts";
import { isGone, type MapValue, type Value } from "../../value/value.ts";
import { contextValue } from "./context-value.ts";
import { definitionAround, homeOf, type Environment, type Scope } from "../environment.ts";
import { failLocally } from "../failure.ts";
import { completeShape, isShapePending, valueOf } from "../force.ts";
import { resolveTag } from "./resolve-tag.ts";
import { walk } from "./walk.ts";

/** What a reference names, without evaluating below it. Throws EvaluationFailure. */
export function resolveReference(reference: Reference, environment: Environment): Value {
  const { path, tag } = reference;
  if (tag !== "") return resolveTag(reference, environment);
  const [first = ""] = path;
  if (first === "") return resolveInRoot(path, environment);
  if (first === "_" && path.length > 1) return resolveInDefinition(path, environment);
  if (first === "__") return resolveInHost(path, environment);
  const found = findFirst(first, environment);
  if (found === undefined) return failLocally(`'${first}' not found`);
  return walk(found, path, 1);
}

/** `__.x.y`: x is looked up from the map around the node on, in the document. */
function resolveInHost(path: readonly string[], environment: Environment): Value {
  const home = environment.path?.name.startsWith("[") === true ? undefined : homeOf(environment);
  if (home === undefined) return failLocally("'__' not found");
  const [, second] = path;
  if (second === undefined) return home;
  const name = `__.${second}`;
  for (let { scope } = environment; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "bindings") continue;
    const found = valueIn(findField(second, scope.map), name);
    if (found !== undefined) return walk(found, path, 2);
  }
  return failLocally(`'${name}' not found`);
}

/** `_.x.y`: x is looked up around the definition of the lambda or template. */
function resolveInDefinition(path: readonly string[], environment: Environment): Value {
  const definition = definitionAround(environment);
  if (definition === undefined) return failLocally("'_' not found");
  const [, second = ""] = path;
  const name = `_.${second}`;
  const inner = findInScopes(second, definition.scope, name);
  const found = inner === undefined ? valueIn(environment.document.bindings.cells.get(second), name) : inner;
  return found === undefined ? failLocally(`'${name}' not found`) : walk(found, path, 2);
}

/** A root list has one field more: `.__map` is the outermost map around the node. */
function resolveInRoot(path: readonly string[], environment: Environment): Value {
  const root = rootValue(environment, path);
  const isList = typeof root === "object" && root?.kind === "list";
  if (!isList || path[1] !== "__map") return walk(root, path, 1);
  return walk(outermostMap(environment.scope), path, 2);
}

function outermostMap(scope: Scope | undefined): Value {
  let outermost: Value = null;
  for (let current = scope; current !== undefined; current = current.parent) {
    if (current.kind === "map") outermost = current.map;
  }
  return outermost;
}

function rootValue({ document }: Environment, path: readonly string[]): Value {
  if (document.root === undefined) return failLocally(`'${printPath(path)}' not found`);
  return valueOf(document.root, printPath(path));
}

function findFirst(name: string, environment: Environment): Value | undefined {
  if (name.startsWith("_")) {
    const special = findSpecial(name, environment);
    if (special !== undefined) return special;
  }
  const found = findInScopes(name, environment.scope, name);
  return found === undefined ? valueIn(environment.document.bindings.cells.get(name), name) : found;
}

/** The innermost value; fields that turn out to be undefined hide nothing, other bindings do. */
function findInScopes(name: string, scope: Scope | undefined, shownAs: string): Value | undefined {
  for (let current = scope; current !== undefined; current = current.parent) {
    if (current.kind === "bindings") {
      const cell = current.names.get(name);
      if (cell !== undefined) return valueOf(cell, shownAs);
    } else {
      const value = valueIn(findField(name, current.map), shownAs);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function valueIn(cell: Cell | undefined, name: string): Value | undefined {
  if (cell === undefined) return undefined;
  const value = valueOf(cell, name);
  return isGone(value) ? undefined : value;
}

/** Explicit fields are there at once; inserted ones once the insertion is evaluated. */
function findField(name: string, map: MapValue): Cell | undefined {
  const explicit = map.cells.get(name);
  if (map.pendingShape === undefined || isShapePending(map)) return explicit;
  completeShape(map, name);
  return map.cells.get(name);
}

/** A root list has no fields. */
function rootMap(root: Value | undefined): Value | undefined {
  return typeof root === "object" && root?.kind === "list" ? mapOf([]) : root;
}

function findSpecial(name: string, environment: Environment): Value | undefined {
  switch (name) {
    case "___":
      return environment.document.bindings.cells.size > 0
        ? environment.document.bindings
        : rootMap(environment.document.root?.value);
    case "__ctx":
      return contextValue(environment);
    default:
      return undefined;
  }
}
