/** What `&marker` words say about a node. */
export interface Markers {
  readonly isTemporary: boolean;
  readonly isLocal: boolean;
  readonly isTemplate: boolean;
  readonly isState: boolean;
  readonly isInjected: boolean;
  readonly isDefault: boolean;
  readonly isDynamic: boolean;
  readonly tags: readonly { readonly name: string; readonly isGlobal: boolean }[];
}

/** What several markers of one list say together. */
export function joinMarkers(some: Markers | undefined, more: Markers | undefined): Markers | undefined {
  if (some === undefined || more === undefined) return some ?? more;
  return {
    isTemporary: some.isTemporary || more.isTemporary,
    isLocal: some.isLocal || more.isLocal,
    isTemplate: some.isTemplate || more.isTemplate,
    isState: some.isState || more.isState,
    isInjected: some.isInjected || more.isInjected,
    isDefault: some.isDefault || more.isDefault,
    isDynamic: some.isDynamic || more.isDynamic,
    tags: [...some.tags, ...more.tags],
  };
}

/** What a stub's node says about another one that keeps its own fields or entries. */
export function withoutInjection(markers: Markers | undefined): Markers | undefined {
  if (markers === undefined || !(markers.isInjected || markers.isDefault)) return markers;
  return { ...markers, isInjected: false, isDefault: false };
}

export function parseMarkers(words: readonly string[]): Markers {
  const tags = words.filter((word) => word.startsWith("tag:")).map((word) => word.slice(4));
  return {
    isTemporary: words.includes("temporary"),
    isLocal: words.includes("local"),
    isTemplate: words.includes("template"),
    isState: words.includes("state"),
    isInjected: words.includes("inject"),
    isDefault: words.includes("default"),
    isDynamic: words.includes("dynamic"),
    tags: tags.map((tag) => ({ name: tag.replace(/^\*/, "").replaceAll(".", ":"), isGlobal: tag.startsWith("*") })),
  };
}
