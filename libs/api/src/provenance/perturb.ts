import { isUnderPath, joinPath, type JsonPath } from "../sensitive-paths.ts";
import { perturbDigits, perturbText } from "./perturb-text.ts";

/** Another value of the same structure: all its leaves but null differ. */
export function perturb(value: unknown): unknown {
  if (typeof value === "string") return perturbText(value);
  if (typeof value === "number") return perturbNumber(value);
  if (typeof value === "bigint") return BigInt(perturbDigits(String(value)));
  if (typeof value === "boolean") return !value;
  return mapMembers(value, perturb);
}

function perturbNumber(value: number): number {
  const changed = Number(String(value).replace(/\d+/, perturbDigits));
  return Number.isFinite(changed) ? changed : value / 2 - 1;
}

/** The same value with its leaves changed at and below the given paths; what no path names is shared with `value`. */
export function perturbAt(value: unknown, paths: readonly JsonPath[]): unknown {
  return perturbBelow(value, "", paths);
}

function perturbBelow(value: unknown, path: string, paths: readonly JsonPath[]): unknown {
  if (paths.includes(path)) return perturb(value);
  const inner = paths.filter((other) => isUnderPath(other, path));
  if (inner.length === 0) return value;
  return mapMembers(value, (member, key) => perturbBelow(member, joinPath(path, key), inner));
}

function mapMembers(value: unknown, change: (member: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => change(item, String(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));
}
