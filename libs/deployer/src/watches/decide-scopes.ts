/** Namespaces that are watched one by one; with more of them all are watched at once, which is one connection. */
const maxNamespaces = 8;

/** What somebody waits for in one kind of one cluster, and what became of watching all namespaces. */
export interface ScopeQuestion {
  readonly isNamespaced: boolean;
  /** In the order of asking; undefined = all of them. */
  readonly wanted: ReadonlySet<string | undefined>;
  /** Undefined: there is no such watch. "refused": the target does not allow it. */
  readonly wide: "opening" | "standing" | "lost" | "refused" | undefined;
}

/**
 * The namespaces to watch, undefined = all at once. Few are watched one by one: that takes the least rights and brings the fewest
 * events. Pure.
 */
export function decideScopes({ isNamespaced, wanted, wide }: ScopeQuestion): ReadonlySet<string | undefined> {
  if (wanted.size === 0) return wanted;
  if (!isNamespaced || wide === "standing") return new Set([undefined]);
  if (!wanted.has(undefined) && wanted.size <= maxNamespaces) return wanted;
  // Going on to ask for all: rights may be granted.
  return wide === "refused" ? new Set([undefined, ...wanted]) : new Set([undefined]);
}
