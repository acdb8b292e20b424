import { isRecord, recordAt, stringAt } from "../../src/objects/json.ts";
import { normalizeAnswer } from "../parity/normalize-answer.ts";

const letter = "[bcdfghjklmnpqrstvwxz2456789]";
/** Not the beginning of a UID. */
const hash = new RegExp(String.raw`\b${letter}{8,10}\b(?!-[0-9a-f]{4}-)`, "g");
/** Behind a masked hash, or behind a name as generateName makes it. */
const suffix = new RegExp(String.raw`-${letter}{5}\b`, "g");
const digest = /\b[0-9a-f]{64}\b/g;
const address = /\b10\.244\.\d+\.\d+\b/g;

/** Fields that only admission plugins of the real server fill. */
const ignored: ReadonlySet<string> = new Set(["serviceAccount", "serviceAccountName"]);

/** A body with everything masked that differs from run to run in the names of workloads; lists are in the order of what is left. */
export function maskNames(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map(maskNames);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !ignored.has(name));
  const masked: Record<string, unknown> = Object.fromEntries(fields.map(([name, field]) => [name, maskNames(field)]));
  const { items } = masked;
  return Array.isArray(items) && stringAt(masked, "kind").endsWith("List")
    ? { ...masked, items: sorted(items) }
    : masked;
}

function maskText(text: string): string {
  return text
    .replaceAll(hash, "<hash>")
    .replaceAll(suffix, "-<suffix>")
    .replaceAll(digest, "<digest>")
    .replaceAll(address, "<podIP>");
}

/** By what is left of them when everything else is masked, too. */
function sorted(items: readonly unknown[]): readonly unknown[] {
  const keyed = items.map((item) => [JSON.stringify(normalizeAnswer(withoutFields(item))), item] as const);
  return keyed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function withoutFields(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { managedFields: _fields, ...metadata } = recordAt(item, "metadata");
  return { ...item, metadata };
}
