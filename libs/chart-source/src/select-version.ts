import { compareVersions, parseConstraints, parseVersion, type Version } from "@landscaper/golang";

/**
 * The version that is asked for: itself where it is there, else the highest that the range allows, by the rules of Helm (prereleases
 * only for ranges that name one). Undefined when there is none, or when `wanted` is neither.
 */
export function selectVersion(wanted: string, available: readonly string[]): string | undefined {
  if (available.includes(wanted)) return wanted;
  const constraints = orUndefined(() => parseConstraints(wanted));
  if (constraints === undefined) return undefined;
  const candidates = available.flatMap((text) => {
    const version = orUndefined(() => parseVersion(text));
    return version === undefined || !constraints.isFulfilledBy(version) ? [] : [{ text, version }];
  });
  return candidates.reduce<{ text: string; version: Version } | undefined>(
    (best, next) => (best === undefined || compareVersions(next.version, best.version) > 0 ? next : best),
    undefined,
  )?.text;
}

/** Whether a text can be a range of versions, such as `^1.2` or `>=1.0.0 <2.0.0`. */
export function isRange(text: string): boolean {
  return /[\^~<>=*xX|\s,]/.test(text) && orUndefined(() => parseConstraints(text)) !== undefined;
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    // No version: repositories hold others than semantic ones, and they are passed over.
    return undefined;
  }
}
