import { isRecord, listAt, recordAt, stringAt } from "../../src/objects/json.ts";

const placeholders: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, "<time>"],
  [/eyJhbGciOi[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/Invalid value: "\{\\".*\}"/g, 'Invalid value: "<object>"'],
  [/^\d+s$/g, "<age>"],
  [/in record \(\d+\)/g, "in record (<resourceVersion>)"],
  [/ZXlKaGJHY2lPa[\w+/=]+/g, "<base64 token>"],
];

/** Help texts and build details: of no consequence to clients. */
const ignoredFields: ReadonlySet<string> = new Set(["description", "gitCommit", "goVersion", "compiler", "platform"]);

/** Fields whose values are a server's own; their presence still counts. */
const ownFields: ReadonlySet<string> = new Set([
  "resourceVersion",
  "continue",
  "clusterIP",
  "clusterIPs",
  "ca.crt",
  "nodePort",
  "healthCheckNodePort",
]);

/** An answer's body with everything replaced that differs from run to run. */
export function normalizeAnswer(value: unknown): unknown {
  if (typeof value === "string") return normalizeText(value);
  // The real server runs some checks twice and then lists a cause twice.
  if (Array.isArray(value)) return withoutRepeats(value.map((item) => normalizeAnswer(item)));
  if (!isRecord(value)) return value;
  const fields = Object.entries(withSortedCauses(value)).filter(([name]) => !ignoredFields.has(name));
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [normalizeText(name), normalizeField(name, field)]),
  );
}

function normalizeField(name: string, field: unknown): unknown {
  if (name === "managedFields" && Array.isArray(field)) return inOrderOfManagers(field.map(normalizeAnswer));
  return ownFields.has(name) && !isRecord(field) ? `<${name}>` : normalizeAnswer(field);
}

/** Entries are sorted by time, which runs may cut into seconds anywhere. */
function inOrderOfManagers(entries: readonly unknown[]): readonly unknown[] {
  const keyOf = (entry: unknown): string =>
    ["operation", "manager", "apiVersion", "subresource"].map((field) => stringAt(entry, field)).join("/");
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function normalizeText(value: string): string {
  return placeholders.reduce((text, [pattern, placeholder]) => text.replaceAll(pattern, placeholder), value);
}

function withoutRepeats(values: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    const isNew = !isRecord(value) || !("reason" in value) || !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

/** Go walks maps in random order, so that several causes come in any order, in the list as in the message. */
function withSortedCauses(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const causes = listAt(value, "details", "causes");
  if (causes.length < 2) return value;
  const sorted = causes
    .map((cause) => JSON.stringify(cause))
    .toSorted()
    .map((text) => JSON.parse(text) as unknown);
  const message = stringAt(value, "message").replace(/ is invalid: \[.*/s, " is invalid: [<causes>]");
  return { ...value, message, details: { ...recordAt(value, "details"), causes: sorted } };
}
