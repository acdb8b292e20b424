import {
  type GoFunction,
  GoObject,
  type Value,
  collectionType,
  elementTypeName,
  isFunction,
  isMap,
  isSlice,
  quote,
  typeName,
  zeroOf,
} from "@landscaper/golang";
import type { ExecState } from "./exec-state.ts";

/** A value on the way through a chain of fields. */
export interface Receiver {
  readonly value: Value;
  /** Whether its static type in Go is interface {}: error texts show it. */
  readonly isInterface: boolean;
}

/** One step of a chain of fields. */
export interface FieldAccess {
  readonly name: string;
  /** Whether arguments follow, which only methods take. */
  readonly hasArguments: boolean;
  /** Calls the field, if it turns out to be a method. */
  readonly call: (method: GoFunction) => Value;
}

/** A field on the way to the last one. Models evalField of text/template/exec.go. */
export function readField(state: ExecState, receiver: Receiver, access: FieldAccess): Receiver {
  const value = accessField(state, receiver, access);
  return { value, isInterface: isMap(receiver.value) && elementTypeName(receiver.value) === "interface {}" };
}

export function accessField(state: ExecState, { value, isInterface }: Receiver, access: FieldAccess): Value {
  const { name } = access;
  if (value === undefined) {
    if (state.templates.missingKey === "error") state.fail(`nil data; no entry for key ${quote(name)}`);
    return undefined;
  }
  if (value === null) return state.fail(`nil pointer evaluating interface {}.${name}`);
  const method = methodOf(value, name);
  if (method !== undefined) return access.call(method);
  if (isMap(value)) {
    if (access.hasArguments) state.fail(`${name} is not a method but has arguments`);
    const item = value.get(name);
    return item === undefined ? missing(state, value[collectionType]?.element, name) : item;
  }
  if (value instanceof GoObject) {
    const field = value.field(name);
    if (field !== undefined) {
      if (access.hasArguments) state.fail(`${name} has arguments but cannot be invoked as function`);
      return field;
    }
  }
  return state.fail(`can't evaluate field ${name} in type ${isInterface ? "interface {}" : typeName(value)}`);
}

/** A method of the value, bound to it. */
function methodOf(value: Value, name: string): GoFunction | undefined {
  if (value instanceof GoObject) return value.method(name);
  if (!isMap(value) && !isSlice(value)) return undefined;
  const methods = value[collectionType]?.methods;
  if (methods === undefined || !Object.hasOwn(methods, name)) return undefined;
  const bound = methods[name]?.(value);
  return bound !== undefined && isFunction(bound) ? bound : undefined;
}

/** What a missing key of a map with this element type gives. */
function missing(state: ExecState, element: string | undefined, name: string): Value {
  switch (state.templates.missingKey) {
    case "default":
      return undefined;
    case "zero":
      return element === undefined ? null : zeroOf(element);
    case "error":
      return state.fail(`map has no entry for key ${quote(name)}`);
  }
}
