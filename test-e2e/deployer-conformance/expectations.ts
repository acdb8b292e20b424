import { isSameJson } from "./same-json.ts";

/** Something that a deployer does otherwise than the contract wants; the message says what, where. */
export class Deviation extends Error {
  override readonly name = "Deviation";
}

/** What a field is to be, with words for messages. */
export interface Expected {
  readonly words: string;
  holds(value: unknown): boolean;
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

const maxLength = 300;

/** A value in a message; long ones are cut. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

export const equal = (value: unknown): Expected => ({
  words: show(value),
  holds: (found) => isSameJson(found, value),
});
export const oneOf = (...values: readonly unknown[]): Expected => ({
  words: `one of ${values.map(show).join(", ")}`,
  holds: (found) => values.some((value) => isSameJson(found, value)),
});
export const present: Expected = {
  words: "a text or an object",
  holds: (found) => found !== undefined && found !== null && found !== "",
};
export const absent: Expected = { words: "nothing", holds: (found) => found === undefined || found === null };
export const timestamp: Expected = {
  words: "a time as in RFC 3339",
  holds: (found) => typeof found === "string" && /^\d{4}-\d\d-\d\dT/.test(found) && !Number.isNaN(Date.parse(found)),
};
export const containing = (part: string): Expected => ({
  words: `a text with ${show(part)}`,
  holds: (found) => typeof found === "string" && found.includes(part),
});
export const listing = (entry: unknown): Expected => ({
  words: `a list with ${show(entry)}`,
  holds: (found) => Array.isArray(found) && found.some((each) => isSameJson(each, entry)),
});

/** All fields of `part`, among others. */
export const including = (part: unknown): Expected => ({
  words: `an object with ${show(part)}`,
  holds: (found) => findMismatch(found, part) === undefined,
});

/** The first field of `part`, at any depth, that `found` has otherwise; it may have more. */
export function findMismatch(found: unknown, part: unknown, path = ""): Mismatch | undefined {
  if (typeof part !== "object" || part === null || Array.isArray(part)) {
    return isSameJson(found, part) ? undefined : { path, expected: part, found };
  }
  for (const [key, value] of Object.entries(part)) {
    const mismatch = findMismatch(Reflect.get(Object(found), key), value, path === "" ? key : `${path}.${key}`);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

export interface Mismatch {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

export const describe = ({ kind, metadata: { namespace, name = "" } }: Named): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

/** The value at a path such as "status.lastError.codes". */
export function fieldOf(object: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), object);
}

/** "DeployItem ns/name, status.phase: expected X, found Y" as a Deviation unless the field is as expected. */
export function expectField(object: Named, path: string, expected: Expected): void {
  const found = fieldOf(object, path);
  if (expected.holds(found)) return;
  throw new Deviation(`${describe(object)}, ${path}: expected ${expected.words}, found ${show(found)}`);
}

/** For what is not the field of one object. */
export function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Deviation(what);
}
