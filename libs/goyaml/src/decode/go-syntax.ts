import { compareStrings } from "../strings/compare-strings.ts";
import { formatFloat } from "../numbers/format-float.ts";
import { isMergeKey } from "./merge-key.ts";
import type { YamlEntry, YamlMapping, YamlNode } from "../nodes/node.ts";
import { fitsInt64 } from "../numbers/parse-number.ts";
import { quote } from "../strings/quote.ts";
import type { ResolvedScalar } from "../scalars/resolve-scalar.ts";
import { resolveScalar } from "../scalars/tagged-scalar.ts";

/** What the value of a node, which can be decoded, looks like in Go's error texts (%#v). */
export function goSyntax(node: YamlNode): string {
  switch (node.kind) {
    case "alias":
      return goSyntax(node.target);
    case "scalar":
      return scalarSyntax(resolveScalar(node));
    case "sequence":
      return `[]interface {}{${node.items.map(innerSyntax).join(", ")}}`;
    case "mapping": {
      const entries = new Map(mergedEntries(node).map(({ key, value }) => [innerSyntax(key), innerSyntax(value)]));
      const sorted = [...entries].toSorted(([a], [b]) => compareStrings(a, b));
      return `map[interface {}]interface {}{${sorted.map(([key, value]) => `${key}:${value}`).join(", ")}}`;
    }
  }
}

/** The entries of a map with those that its merge keys bring. */
function mergedEntries(map: YamlMapping): YamlEntry[] {
  return map.entries.flatMap((entry) => {
    if (!isMergeKey(entry.key)) return [entry];
    const maps = entry.value.kind === "sequence" ? entry.value.items.toReversed() : [entry.value];
    return maps.flatMap((node) => {
      const target = node.kind === "alias" ? node.target : node;
      return target.kind === "mapping" ? mergedEntries(target) : [];
    });
  });
}

function innerSyntax(node: YamlNode): string {
  const text = goSyntax(node);
  return text === "<nil>" ? "interface {}(nil)" : text;
}

/** A scalar in Go's syntax; a nil by itself is `<nil>`. */
export function scalarSyntax(scalar: ResolvedScalar): string {
  switch (scalar.type) {
    case "null":
      return "<nil>";
    case "bool":
      return String(scalar.value);
    case "int":
      return fitsInt64(scalar.value) ? scalar.value.toString() : `0x${scalar.value.toString(16)}`;
    case "float":
      return formatFloat(scalar.value, "g", -1);
    case "string":
    case "timestamp":
      return quote(scalar.value);
  }
}
