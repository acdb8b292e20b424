import { isRecord } from "../objects/json.ts";

const placeholders: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, "<time>"],
  [/eyJhbGciOi[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/ZXlKaGJHY2lPa[\w+/=]+/g, "<base64 token>"],
];

/** Fields whose values are a server's own; their presence still counts. */
const ownFields: ReadonlySet<string> = new Set([
  ...["resourceVersion", "continue", "clusterIP", "clusterIPs", "ca.crt", "nodePort"],
]);

/** An answer's body with everything replaced that differs from run to run. */
export function normalizeAnswer(value: unknown): unknown {
  if (typeof value === "string") {
    return placeholders.reduce((text, [pattern, placeholder]) => text.replaceAll(pattern, placeholder), value);
  }
  if (Array.isArray(value)) return value.map((item) => normalizeAnswer(item));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([name]) => name !== "managedFields");
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, ownFields.has(name) && !isRecord(field) ? `<${name}>` : normalizeAnswer(field)]),
  );
}
