import { describeError } from "../describe-error.ts";

/** Members that never reach a log, whatever a caller passes, in lower case: a second net, not a licence to pass them. */
const secretMembers: ReadonlySet<string> = new Set([
  "token",
  "accesstoken",
  "password",
  "secret",
  "privatekey",
  "kubeconfig",
  "connection",
  "authorization",
  "data",
  "stringdata",
  "values",
  "config",
  "configuration",
  "certificate-authority-data",
  "client-certificate-data",
  "client-key-data",
]);

const mask = "[...]";
/** What lies deeper is no log field but an object that should not be there. */
const maxDepth = 5;

/** The fields of a log line without the values of secret members, at any depth; errors by type and message alone. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactMembers(fields, 0);
}

function redactMembers(object: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const isSecret = value !== undefined && secretMembers.has(name.toLowerCase());
    result[name] = isSecret ? mask : redactValue(value, depth + 1);
  }
  return result;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return mask;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  if (value instanceof Error) return describeError(value);
  // Dates and values with a form of their own, such as Sensitive.
  if ("toJSON" in value && typeof value.toJSON === "function") return value;
  return redactMembers(value, depth);
}
