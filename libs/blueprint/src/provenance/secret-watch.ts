import { mapFromPlain, WatchedMap } from "@landscaper/golang";

/** Bindings of templates that are maps from names to values. */
const namedBindings = ["imports", "deployitems", "dataobjects", "targets"] as const;
export type NamedBinding = (typeof namedBindings)[number];

/** Learns whether a rendering has read anything secret. */
export interface SecretWatch {
  isSecret(binding: NamedBinding, name: string): boolean;
  /** Something secret was read. */
  note(): void;
  /** Everything was read, as far as one can tell. */
  noteAll(): void;
}

/** The bindings of a Go template, so that reading secret ones is noted. */
export function watchBindings(
  bindings: Readonly<Record<string, unknown>>,
  watch: SecretWatch | undefined,
): Readonly<Record<string, unknown>> {
  if (watch === undefined) return bindings;
  const watched: Record<string, unknown> = { ...bindings };
  for (const binding of namedBindings) {
    if (bindings[binding] === undefined) continue;
    const isWatched = (name: string): boolean => watch.isSecret(binding, name);
    watched[binding] = new WatchedMap(mapFromPlain(bindings[binding]), isWatched, () => watch.note());
  }
  if (bindings["values"] !== undefined) {
    const { deployitems, dataobjects, targets } = watched;
    watched["values"] = { deployitems, dataobjects, targets };
  }
  if (hasState(bindings["state"])) watch.note();
  return watched;
}

function hasState(state: unknown): boolean {
  return typeof state === "object" && state !== null ? Object.keys(state).length > 0 : state !== undefined;
}
