import { joinPath, pathAbove, type JsonPath } from "../secrecy/sensitive-paths.ts";
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
  const leading = new Set<JsonPath>();
  for (const path of paths) {
    for (let below = path; below !== "";) {
      below = pathAbove(below);
      if (leading.has(below)) break;
      leading.add(below);
    }
  }
  return perturbBelow(value, "", { paths: new Set(paths), leading });
}

interface PathSets {
  readonly paths: ReadonlySet<JsonPath>;
  /** What leads to them. */
  readonly leading: ReadonlySet<JsonPath>;
}

function perturbBelow(value: unknown, path: JsonPath, sets: PathSets): unknown {
  if (sets.paths.has(path)) return perturb(value);
  if (!sets.leading.has(path)) return value;
  return mapMembers(value, (member, key) => perturbBelow(member, joinPath(path, key), sets));
}

function mapMembers(value: unknown, change: (member: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => change(item, String(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));
}
