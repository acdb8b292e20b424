/**
 * Order of two resource versions, or undefined when they cannot be compared. Kubernetes keeps them opaque in principle but
 * defines them as decimal integers that grow with every write of a cluster (KEP-5504); anything else keeps the order of arrival.
 */
export function compareResourceVersions(left: string | undefined, right: string | undefined): number | undefined {
  if (left === undefined || right === undefined || !isDecimal(left) || !isDecimal(right)) return undefined;
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Whether `left` is known to be older than `right`. */
export function isOlder(left: string | undefined, right: string | undefined): boolean {
  const order = compareResourceVersions(left, right);
  return order !== undefined && order < 0;
}

function isDecimal(text: string): boolean {
  return /^[1-9][0-9]*$/.test(text);
}
