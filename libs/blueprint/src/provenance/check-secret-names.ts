import { blueprintError, type BlueprintErrorReason } from "../blueprint-error.ts";
import { isRecord } from "../parameter/describe-value.ts";
import type { RenderContext } from "../render-context.ts";
import { blueprintText } from "./blueprint-text.ts";
import type { Traced } from "./trace-secrets.ts";

/** An object with the name under which status and messages know it, such as a deploy item. */
interface Named {
  readonly name: string;
}

export interface SecretNameCheck<T> {
  readonly context: RenderContext;
  readonly traced: Traced<T>;
  /** Lists of named objects, by what messages call one of them. */
  readonly listsOf: (rendered: T) => Readonly<Record<string, readonly Named[]>>;
  readonly reason: BlueprintErrorReason;
}

/**
 * Refuses names and keys of maps that derive from imported secrets: status, events and plans show them. Texts that the blueprint has itself
 * are none, and names that were drawn by chance may be shown. Throws LandscaperError, which does not tell the name.
 */
export function checkSecretNames<T>({ context, traced, listsOf, reason }: SecretNameCheck<T>): void {
  const { value, shadow, confirm } = traced;
  if (shadow === undefined || shadow === value) return;
  const known = blueprintText(context);
  const isKnown = (name: string): boolean => known.includes(name);
  const lists = listsOf(value);
  const found = findSecretName(lists, listsOf(shadow), isKnown);
  if (found === undefined) return;
  const confirmed = confirm();
  // A rendering that fails cannot show that chance has drawn the name.
  const place = confirmed === undefined ? found : findSecretName(lists, listsOf(confirmed), isKnown);
  if (place === undefined) return;
  throw blueprintError(reason, `${place} derives from a secret, and names are shown in status, events and plans`, {
    hint: "name it by something that is not secret",
  });
}

type Lists = Readonly<Record<string, readonly Named[]>>;

function findSecretName(lists: Lists, others: Lists, isKnown: (name: string) => boolean): string | undefined {
  for (const [kind, list] of Object.entries(lists)) {
    const byName = new Map((others[kind] ?? []).map((other) => [other.name, other]));
    for (const [index, object] of list.entries()) {
      const other = byName.get(object.name) ?? others[kind]?.[index];
      if (!byName.has(object.name) && !isKnown(object.name)) return `the name of ${kind} number ${index + 1}`;
      const path = findSecretKey({ value: object, other, path: "" }, isKnown);
      if (path !== undefined) return `${kind} ${JSON.stringify(object.name)}: a key in ${path}`;
    }
  }
  return undefined;
}

interface Pair {
  readonly value: unknown;
  readonly other: unknown;
  readonly path: string;
}

/** Path of the map that has such a key. */
function findSecretKey({ value, other, path }: Pair, isKnown: (name: string) => boolean): string | undefined {
  if (value === other) return undefined;
  if (Array.isArray(value) && Array.isArray(other)) {
    const others: readonly unknown[] = other;
    return firstOf(value.entries(), ([index, item]) =>
      findSecretKey({ value: item, other: others[index], path: `${path}[${index}]` }, isKnown),
    );
  }
  if (!isRecord(value) || !isRecord(other)) return undefined;
  const keys = Object.keys(value);
  if (keys.some((key) => !Object.hasOwn(other, key) && !isKnown(key))) return path;
  return firstOf(keys, (key) =>
    findSecretKey({ value: value[key], other: other[key], path: path === "" ? key : `${path}.${key}` }, isKnown),
  );
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
