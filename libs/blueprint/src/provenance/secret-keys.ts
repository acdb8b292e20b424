import { isRecord } from "../parameter/describe-value.ts";

/** Keys that every Target may have. They reveal nothing, and messages need them. */
const ordinary = new Set([
  "apiVersion",
  "config",
  "data",
  "kind",
  "kubeconfig",
  "metadata",
  "name",
  "secretRef",
  "spec",
]);

/** Whether a value is neither secret nor plain: substitution does not change it. */
const isEmpty = (value: unknown): boolean => value === null || value === "" || value === undefined;

/**
 * Returns the keys of maps in which every value is secret: such a map is secret as a whole, so its keys are data, too. `shadow` is `value` with
 * substituted secrets. Omits the keys that `isKnown` accepts, such as those in the blueprint.
 */
export function secretKeys(
  { value, shadow }: { readonly value: unknown; readonly shadow: unknown },
  isKnown: (key: string) => boolean,
): readonly string[] {
  const keys = new Set<string>();
  collect(value, shadow, keys);
  return [...keys].filter((key) => !ordinary.has(key) && !isKnown(key));
}

type Secrecy = "secret" | "plain" | "empty";

/** Adds the keys of secret maps. Returns what the value is as a whole. */
function collect(value: unknown, other: unknown, keys: Set<string>): Secrecy {
  if (isEmpty(value)) return "empty";
  if (value === other) return "plain";
  if (Array.isArray(value)) {
    const others: readonly unknown[] = Array.isArray(other) ? other : [];
    return joinSecrecy(value.map((item, index) => collect(item, others[index], keys)));
  }
  if (!isRecord(value)) return "secret";
  const others = isRecord(other) ? other : {};
  const whole = joinSecrecy(Object.entries(value).map(([key, member]) => collect(member, others[key], keys)));
  if (whole === "secret") for (const key of Object.keys(value)) keys.add(key);
  return whole;
}

function joinSecrecy(members: readonly Secrecy[]): Secrecy {
  if (members.includes("plain")) return "plain";
  return members.includes("secret") ? "secret" : "empty";
}
