import { isSameJson } from "./same-json.ts";
import type { Item } from "../src/kits/plain-api.ts";
import { show } from "./expectations.ts";

/** A field that two versions differ in. */
export interface Change {
  /** Such as "status.phase"; keys with dots stand in brackets. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const join = (path: string, key: string): string =>
  key.includes(".") ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;

/** The API server's own bookkeeping. */
const bookkeeping = new Set(["metadata.resourceVersion", "metadata.generation", "metadata.managedFields"]);

/** The fields in which `after` differs from `before`, but for the API server's bookkeeping. */
export function listChanges(before: unknown, after: unknown, path = ""): Change[] {
  if (bookkeeping.has(path) || isSameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => listChanges(before[key], after[key], join(path, key)));
}

/** For messages: what a write has changed; conditions say the same as other fields. */
export function describeChanges(before: Item, after: Item): string {
  const changes = listChanges(before, after);
  const telling = changes.filter(({ path }) => path !== "status.conditions");
  const list = telling.length === 0 ? changes : telling;
  if (list.length === 0) return "a write that changes nothing";
  return list.map((change) => `${change.path}: ${show(change.before)} -> ${show(change.after)}`).join("; ");
}
