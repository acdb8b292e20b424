/** A semantic version; missing parts are 0, a leading v is kept for output that changes one part. */
export interface Version {
  readonly prefix: string;
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
}

const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const versionPattern = new RegExp(
  `^(v?)([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-(${identifiers}))?(?:\\+(${identifiers}))?$`,
);

export function parseVersion(text: string): Version | undefined {
  const match = versionPattern.exec(text);
  if (match === null) return undefined;
  const [, prefix = "", major = "0", minor = "0", patch = "0", prerelease = "", metadata = ""] = match;
  if (prerelease.split(".").some((part) => /^0[0-9]+$/.test(part))) return undefined;
  return { prefix, major: BigInt(major), minor: BigInt(minor), patch: BigInt(patch), prerelease, metadata };
}

export function printVersion({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease === "" ? "" : `-${prerelease}`}${metadata === "" ? "" : `+${metadata}`}`;
}

/** -1, 0 or 1; metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function compareNumbers(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "") return 1;
  if (b === "") return -1;
  const left = a.split(".");
  const right = b.split(".");
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareIdentifiers(left[i], right[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const areNumbers = [/^[0-9]+$/.test(a), /^[0-9]+$/.test(b)];
  if (areNumbers[0] === true && areNumbers[1] === true) return compareNumbers(BigInt(a), BigInt(b));
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] === true ? -1 : 1;
  return a < b ? -1 : 1;
}
