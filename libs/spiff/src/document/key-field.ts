import { constantMap } from "./constant.ts";
import type { ListItem, Source } from "./source.ts";

/** `- key:id: x`: the field id names the entries; the tag is taken off. */
export function takeKeyField(items: readonly ListItem[]): {
  readonly keyField: string | undefined;
  readonly items: readonly ListItem[];
} {
  for (const { source } of items) {
    if (source.kind !== "map") continue;
    const tagged = findTagged(source.entries);
    if (tagged === undefined) continue;
    const field = tagged.slice(4);
    const plainItems = items.map((item) => ({ ...item, source: untag(item.source, tagged, field.replace(/^!/, "")) }));
    return { keyField: field.startsWith("!") ? "" : field, items: plainItems };
  }
  return { keyField: undefined, items };
}

function findTagged(entries: ReadonlyMap<string, Source>): string | undefined {
  for (const key of entries.keys()) if (key.startsWith("key:")) return key;
  return undefined;
}

function untag(source: Source, tagged: string, field: string): Source {
  if (source.kind !== "map") return source;
  const entries = new Map([...source.entries].map(([key, value]) => [key === tagged ? field : key, value] as const));
  return { ...source, entries, constant: source.constant === undefined ? undefined : constantMap(entries) };
}
