import { formatFloat32, parseFirstDocument, resolveScalar, type YamlMapping, type YamlNode } from "@landscaper/goyaml";

/**
 * The text that sigs.k8s.io/yaml makes of a number where a text is wanted: integers in full, floats with the digits of a
 * float32. `value` tells integers from floats only in part, so the number is looked up in the source.
 */
export function exactScalarText(source: string, path: readonly string[], value: number): string {
  const document = parseFirstDocument(source);
  const node = path.reduce<YamlNode | undefined>((parent, key) => childOf(parent, key), document);
  const scalar = node?.kind === "scalar" ? resolveScalar(node) : undefined;
  if (scalar?.type === "int") return scalar.value.toString();
  // A number that came by a merge key.
  if (scalar === undefined && Number.isSafeInteger(value)) return String(value);
  return formatFloat32(value);
}

function childOf(parent: YamlNode | undefined, key: string): YamlNode | undefined {
  const map = targetOf(parent);
  if (map?.kind !== "mapping") return undefined;
  return targetOf(lastEntry(map, key));
}

function lastEntry(map: YamlMapping, key: string): YamlNode | undefined {
  return map.entries.findLast(({ key: node }) => node.kind === "scalar" && node.text === key)?.value;
}

function targetOf(node: YamlNode | undefined): YamlNode | undefined {
  return node?.kind === "alias" ? node.target : node;
}
