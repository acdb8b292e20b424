import { redacted, redactLeaves } from "@landscaper/api";

/**
 * The value for the eyes of people: what Secret manifests hold is masked, and so is, wherever it stands, what is part of `secrets`.
 * Structure and names stay.
 */
export function maskSecrets(value: unknown, secrets: readonly unknown[]): unknown {
  if (typeof value === "string") return redactLeaves(value, secrets);
  if (typeof value === "number") {
    const text = String(value);
    return redactLeaves(text, secrets) === text ? value : redacted;
  }
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  const isSecret = Reflect.get(value, "kind") === "Secret" && Reflect.get(value, "apiVersion") === "v1";
  const entries = Object.entries(value).map(([key, member]) => {
    const isContent = isSecret && (key === "data" || key === "stringData");
    return [redactLeaves(key, secrets), isContent ? maskAll(member) : maskSecrets(member, secrets)];
  });
  return Object.fromEntries(entries);
}

function maskAll(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return redacted;
  return Object.fromEntries(Object.keys(value).map((key) => [key, redacted]));
}
