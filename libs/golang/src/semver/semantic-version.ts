import { FunctionError } from "../function-error.ts";
import { compareStrings } from "@landscaper/goyaml";

/** A version as Masterminds/semver v3 reads it: loosely, "v1.2" is 1.2.0. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  /** The text that was read. */
  readonly original: string;
}

const maxLength = 256;
const maxSegment = 2n ** 64n - 1n;
const pattern =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** semver.NewVersion. Throws FunctionError with its messages. */
export function parseVersion(text: string): Version {
  if (text.length > maxLength) throw new FunctionError(`version string is too long (max ${maxLength} bytes)`);
  const match = pattern.exec(text);
  if (match === null) throw new FunctionError("invalid semantic version");
  const [, major = "0", minor = "0", patch = "0", prerelease = "", metadata = ""] = match;
  if (prerelease.split(".").some((part) => /^0[0-9]+$/.test(part))) {
    throw new FunctionError("version segment starts with 0");
  }
  return {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease,
    metadata,
    original: text,
  };
}

function segment(digits: string): bigint {
  const value = BigInt(digits);
  if (value <= maxSegment) return value;
  throw new FunctionError(`error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`);
}

export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  const suffix = (prerelease === "" ? "" : `-${prerelease}`) + (metadata === "" ? "" : `+${metadata}`);
  return `${major}.${minor}.${patch}${suffix}`;
}

/** -1, 0 or 1; metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  for (const key of ["major", "minor", "patch"] as const) {
    if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** -1, 0 or 1: no prerelease comes after any, numbers before words, fewer parts before more. */
export function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "") return 1;
  if (b === "") return -1;
  const x = a.split(".");
  const y = b.split(".");
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const order = compareParts(x[i], y[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const isNumberA = /^[0-9]+$/.test(a);
  const isNumberB = /^[0-9]+$/.test(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  if (isNumberA) return BigInt(a) < BigInt(b) ? -1 : 1;
  return compareStrings(a, b) < 0 ? -1 : 1;
}
