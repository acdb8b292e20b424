import { maskDifferences, redacted } from "@landscaper/api";

/** What derives from secrets differs in `other`; undefined: nobody knows what does. */
export interface Derived {
  readonly value: unknown;
  readonly other: unknown;
}

/** Longer texts are not compared word by word. */
const maxTextLength = 16_384;

/**
 * The value for the eyes of people: what derives from secrets is masked, of a text the words that do, and so is what Secret manifests hold.
 * Structure and names stay.
 */
export function maskDerived({ value, other }: Derived): unknown {
  if (typeof value === "string") return maskText(value, other);
  if (Array.isArray(value)) {
    const others: readonly unknown[] = Array.isArray(other) && other.length === value.length ? other : [];
    return value.map((item: unknown, index) => maskDerived({ value: item, other: others[index] }));
  }
  if (typeof value !== "object" || value === null) return value === other || value === null ? value : redacted;
  const isSecret = Reflect.get(value, "kind") === "Secret" && Reflect.get(value, "apiVersion") === "v1";
  const others = new Map(typeof other === "object" && other !== null ? Object.entries(other) : []);
  const entries = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const isContent = isSecret && (key === "data" || key === "stringData");
    return [key, maskDerived({ value: member, other: isContent ? undefined : others.get(key) })];
  });
  return Object.fromEntries(entries);
}

function maskText(text: string, other: unknown): string {
  if (text === other) return text;
  return typeof other === "string" && text.length <= maxTextLength ? maskDifferences(text, other) : redacted;
}
