import { isDeepEqual } from "./is-deep-equal.ts";
import { cloneJson, getField, isJsonObject, sizeOfJson } from "./json-object.ts";
import { addAt, findContainer, getAt, removeAt, setAt } from "./json-pointer.ts";
import type { Location } from "./json-pointer.ts";
import { PatchError } from "./patch-error.ts";

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  path: string;
  from?: string;
  value?: unknown;
}

/** As the API server: a longer patch is refused. */
const maxOperations = 10_000;

/** Maximum size of all values that a patch copies, in bytes of JSON; that of the API server. Without it, copies of copies grow exponentially. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** Bytes that the operations of one patch have copied so far. */
interface Copied {
  bytes: number;
}

/**
 * Applies a JSON patch and returns the result, which shares nothing with the arguments. Behaves as the API server does (Models
 * gopkg.in/evanphx/json-patch.v4): `replace` of a missing field adds it, `test` for null passes on a missing field, negative list indexes
 * count from the end.
 * @throws PatchError 400 for a malformed patch, 413 for more than 10,000 operations, 422 when an operation
 * does not apply, or copies too much; then nothing is changed.
 */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw new PatchError(400, "error decoding patch: expected a list of operations");
  }
  if (patch.length > maxOperations) {
    throw new PatchError(
      413,
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  const copied: Copied = { bytes: 0 };
  return patch.reduce<unknown>((document, operation) => applyOperation(document, operation, copied), cloneJson(target));
}

function applyOperation(document: unknown, operation: unknown, copied: Copied): unknown {
  if (!isJsonObject(operation)) {
    throw new PatchError(400, "error decoding patch: expected every operation to be an object");
  }
  const op = operation["op"];
  switch (op) {
    case "add":
      return add(document, pathOf(operation, op), getField(operation, "value") ?? null);
    case "remove":
      return remove(document, pathOf(operation, op));
    case "replace":
      return replace(document, pathOf(operation, op), getField(operation, "value") ?? null);
    case "move":
      return move(document, fromOf(operation, op), pathOf(operation, op));
    case "copy":
      return copy(document, { from: fromOf(operation, op), path: pathOf(operation, op) }, copied);
    case "test":
      return test(document, pathOf(operation, op), getField(operation, "value") ?? null);
    default:
      throw new PatchError(422, `Unexpected kind: ${typeof op === "string" ? op : "unknown"}`);
  }
}

function pathOf(operation: Record<string, unknown>, op: string): string {
  const path = getField(operation, "path");
  if (typeof path !== "string") {
    const detail = op === "add" || op === "remove" ? "" : "operation missing path field: ";
    throw new PatchError(422, `${op} operation failed to decode path: ${detail}missing value`);
  }
  return path;
}

function fromOf(operation: Record<string, unknown>, op: string): string {
  const from = getField(operation, "from");
  if (typeof from !== "string") {
    throw new PatchError(422, `${op} operation failed to decode from: operation, missing from field: missing value`);
  }
  return from;
}

function add(document: unknown, path: string, value: unknown): unknown {
  const missing = `add operation does not apply: doc is missing path: "${path}": missing value`;
  const failure = addAt(locate(document, path, missing), cloneJson(value));
  if (failure !== undefined) {
    throw new PatchError(422, `error in add for path: '${path}': ${failure}`);
  }
  return document;
}

function remove(document: unknown, path: string): unknown {
  const missing = `remove operation does not apply: doc is missing path: "${path}": missing value`;
  const failure = removeAt(locate(document, path, missing));
  if (failure !== undefined) {
    throw new PatchError(422, `error in remove for path: '${path}': ${failure}`);
  }
  return document;
}

function replace(document: unknown, path: string, value: unknown): unknown {
  if (path === "") {
    if (typeof value !== "object" || value === null) {
      throw new PatchError(422, "replace operation value must be object or array");
    }
    return cloneJson(value);
  }
  const location = locate(
    document,
    path,
    `replace operation does not apply: doc is missing path: ${path}: missing value`,
  );
  if (getAt(location).failure !== undefined) {
    throw new PatchError(422, `replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
  setAt(location, cloneJson(value));
  return document;
}

function move(document: unknown, from: string, path: string): unknown {
  const source = locate(
    document,
    from,
    `move operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const found = getAt(source);
  const failure = found.failure ?? removeAt(source);
  if (failure !== undefined) {
    throw new PatchError(422, `error in move for path: '${source.key}': ${failure}`);
  }
  const missing = `move operation does not apply: doc is missing destination path: ${path}: missing value`;
  const addFailure = addAt(locate(document, path, missing), found.value);
  if (addFailure !== undefined) {
    throw new PatchError(422, `error in move for path: '${path}': ${addFailure}`);
  }
  return document;
}

function copy(document: unknown, { from, path }: Readonly<Record<"from" | "path", string>>, copied: Copied): unknown {
  const source = locate(
    document,
    from,
    `copy operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const found = getAt(source);
  if (found.failure !== undefined) {
    throw new PatchError(422, `error in copy for from: '${from}': ${found.failure}`);
  }
  const missing = `copy operation does not apply: doc is missing destination path: ${path}: missing value`;
  const location = locate(document, path, missing);
  copied.bytes += sizeOfJson(found.value ?? null);
  if (copied.bytes > maxCopiedBytes) {
    throw new PatchError(
      422,
      `Unable to complete the copy, the accumulated size increase of copy is ${copied.bytes}, exceeding the limit ${maxCopiedBytes}`,
    );
  }
  const failure = addAt(location, cloneJson(found.value ?? null));
  if (failure !== undefined) {
    throw new PatchError(422, `error while adding value during copy: ${failure}`);
  }
  return document;
}

function test(document: unknown, path: string, expected: unknown): unknown {
  const missing = `test operation does not apply: is missing path: ${path}: missing value`;
  const found = path === "" ? { value: document } : getAt(locate(document, path, missing));
  if (found.failure !== undefined) {
    throw new PatchError(422, `error in test for path: '${path}': ${found.failure}`);
  }
  if (!isDeepEqual(found.value ?? null, expected)) {
    throw new PatchError(422, `testing value ${path} failed: test failed`);
  }
  return document;
}

function locate(document: unknown, path: string, missing: string): Location {
  const location = findContainer(document, path);
  if (location === undefined) {
    throw new PatchError(422, missing);
  }
  return location;
}
