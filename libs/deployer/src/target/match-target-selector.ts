import type { SelectorRequirement, Target, TargetSelector } from "@landscaper/api";

/** Whether one of the selectors selects the target; no selectors select every target (deployers.md §1.1). */
export function matchesTargetSelectors(selectors: readonly TargetSelector[], target: Target): boolean {
  return selectors.length === 0 || selectors.some((selector) => matchesTargetSelector(selector, target));
}

/**
 * Whether the selectors select a target of which only the name is known, because it does not exist: requirements on its
 * annotations and labels cannot hold.
 */
export function matchesMissingTarget(
  selectors: readonly TargetSelector[],
  target: { readonly namespace: string | undefined; readonly name: string },
): boolean {
  if (selectors.length === 0) return true;
  return selectors.some(({ targets, annotations = [], labels = [] }) => {
    const names = targets !== undefined && targets.length > 0 && isNamed(targets, target);
    return names && annotations.length === 0 && labels.length === 0;
  });
}

function matchesTargetSelector(selector: TargetSelector, { metadata }: Target): boolean {
  const { targets = [], annotations = [], labels = [] } = selector;
  const key = { namespace: metadata.namespace, name: metadata.name ?? "" };
  return (
    (targets.length === 0 || isNamed(targets, key)) &&
    annotations.every((requirement) => isFulfilled(requirement, metadata.annotations)) &&
    labels.every((requirement) => isFulfilled(requirement, metadata.labels))
  );
}

function isNamed(
  targets: NonNullable<TargetSelector["targets"]>,
  key: { readonly namespace: string | undefined; readonly name: string },
): boolean {
  return targets.some(
    ({ name, namespace = "" }) => name === key.name && (namespace === "" || namespace === key.namespace),
  );
}

/** Kubernetes' rules for label requirements: an absent key passes for `!`, `!=` and `notin` only. */
function isFulfilled(requirement: SelectorRequirement, values: Readonly<Record<string, string>> | undefined): boolean {
  const found = values?.[requirement.key];
  const wanted = requirement.values ?? [];
  switch (requirement.operator) {
    case "exists":
      return found !== undefined;
    case "!":
      return found === undefined;
    case "=":
    case "==":
    case "in":
      return found !== undefined && wanted.includes(found);
    case "!=":
    case "notin":
      return found === undefined || !wanted.includes(found);
    case "gt":
      return compareNumbers(found, wanted, (left, right) => left > right);
    case "lt":
      return compareNumbers(found, wanted, (left, right) => left < right);
    default:
      return false;
  }
}

function compareNumbers(
  found: string | undefined,
  wanted: readonly string[],
  holds: (left: bigint, right: bigint) => boolean,
): boolean {
  const [limit] = wanted;
  if (found === undefined || limit === undefined || wanted.length !== 1) return false;
  return isInteger(found) && isInteger(limit) && holds(BigInt(found), BigInt(limit));
}

/** Returns true for the numbers that `gt` and `lt` compare. */
export function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}
