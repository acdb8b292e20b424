import { quote } from "../format/quote.ts";
import { GoRegExp } from "../regexp/go-regexp.ts";
import { FunctionError } from "../function-error.ts";
import { comparePrereleases, compareVersions, parseVersion, type Version } from "./semantic-version.ts";

/** Whether a version fulfils constraints. */
export type ConstraintCheck = (version: Version) => boolean;

const maxLength = 512;
const maxGroups = 32;
const operators = "=||!=|>|<|>=|=>|<=|=<|~|~>|\\^";
const versionPattern =
  "v?([0-9|x|X|\\*]+)(\\.[0-9|x|X|\\*]+)?(\\.[0-9|x|X|\\*]+)?" +
  "(-([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?(\\+([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?";

// These patterns backtrack badly in JavaScript's own engine.
const constraintPattern = GoRegExp.compile(`^\\s*(${operators})\\s*(${versionPattern})\\s*$`);
const rangePattern = GoRegExp.compile(`\\s*(${versionPattern})\\s+-\\s+(${versionPattern})\\s*`);
const findPattern = GoRegExp.compile(`(${operators})\\s*(${versionPattern})`);
const validPattern = GoRegExp.compile(
  `^(\\s*(${operators})\\s*(${versionPattern})\\s*)((?:\\s+|,\\s*)(${operators})\\s*(${versionPattern})\\s*)*$`,
);

/** One comparison, such as ">= 1.2". `minorDirty` and `patchDirty`: that part is x or missing. */
interface Constraint {
  readonly operator: string;
  readonly version: Version;
  readonly isDirty: boolean;
  readonly minorDirty: boolean;
  readonly patchDirty: boolean;
}

/**
 * semver.NewConstraint of Masterminds: groups apart by "||", comparisons in a group by space or comma, hyphen ranges.
 * A group accepts prereleases only if one of its comparisons names one. Throws FunctionError with its messages.
 */
export function parseConstraints(text: string): ConstraintCheck {
  if (text.length > maxLength) throw new FunctionError(`constraint string is too long (max ${maxLength} bytes)`);
  const groups = rewriteRanges(text).split("||");
  if (groups.length > maxGroups) throw new FunctionError(`too many constraint groups (max ${maxGroups})`);
  const parsed = groups.map(parseGroup);
  return (version) =>
    parsed.some((group) => {
      const acceptsPrerelease = group.some((constraint) => constraint.version.prerelease !== "");
      if (version.prerelease !== "" && !acceptsPrerelease) return false;
      return group.every((constraint) => isFulfilled(version, constraint));
    });
}

/** "1.2 - 1.4" is ">= 1.2, <= 1.4". */
function rewriteRanges(text: string): string {
  let result = text;
  for (const { groups } of rangePattern.findAll(text)) {
    const range = groups[0] ?? "";
    const at = result.indexOf(range);
    result = `${result.slice(0, at)}>= ${groups[1]}, <= ${groups[11]} ${result.slice(at + range.length)}`;
  }
  return result;
}

function parseGroup(text: string): Constraint[] {
  if (!validPattern.test(text)) throw new FunctionError(`improper constraint: ${quote(text)}`);
  return findPattern.findAll(text).map(({ groups }) => parseConstraint(groups[0] ?? ""));
}

function isX(part: string): boolean {
  return part === "" || part === "x" || part === "X" || part === "*";
}

function parseConstraint(text: string): Constraint {
  const groups = constraintPattern.findAll(text, 1)[0]?.groups;
  if (groups === undefined) throw new FunctionError(`improper constraint: ${quote(text)}`);
  const [, operator = "", original = "", major = "", minorPart = "", patchPart = "", prerelease = ""] = groups;
  const minor = minorPart.slice(1);
  const patch = patchPart.slice(1);
  const read = (version: string): Version => readConstraintVersion(version);
  if (isX(major)) {
    return { operator, version: read(`0.0.0${prerelease}`), isDirty: true, minorDirty: false, patchDirty: false };
  }
  if (isX(minor)) {
    return { operator, version: read(`${major}.0.0${prerelease}`), isDirty: true, minorDirty: true, patchDirty: false };
  }
  if (isX(patch)) {
    const version = read(`${major}.${minor}.0${prerelease}`);
    return { operator, version, isDirty: true, minorDirty: false, patchDirty: true };
  }
  return { operator, version: read(original), isDirty: false, minorDirty: false, patchDirty: false };
}

function readConstraintVersion(text: string): Version {
  try {
    return parseVersion(text);
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError("constraint parser error");
    throw error;
  }
}

function isFulfilled(version: Version, constraint: Constraint): boolean {
  switch (constraint.operator) {
    case "":
    case "=":
      return constraint.isDirty ? isTilde(version, constraint) : compareVersions(version, constraint.version) === 0;
    case "!=":
      return isNotEqual(version, constraint);
    case ">":
      return isGreater(version, constraint);
    case "<":
      return compareVersions(version, constraint.version) < 0;
    case ">=":
    case "=>":
      return compareVersions(version, constraint.version) >= 0;
    case "<=":
    case "=<":
      return isLessOrEqual(version, constraint);
    case "~":
    case "~>":
      return isTilde(version, constraint);
    default:
      return isCaret(version, constraint);
  }
}

function isNotEqual(version: Version, { version: other, isDirty, minorDirty, patchDirty }: Constraint): boolean {
  if (isDirty) {
    if (other.major !== version.major) return true;
    if (other.minor !== version.minor && !minorDirty) return true;
    if (minorDirty) return false;
    if (other.patch !== version.patch && !patchDirty) return true;
    if (patchDirty) return comparePrereleases(version.prerelease, other.prerelease) !== 0;
  }
  return compareVersions(version, other) !== 0;
}

function isGreater(version: Version, { version: other, isDirty, minorDirty, patchDirty }: Constraint): boolean {
  if (!isDirty) return compareVersions(version, other) > 0;
  if (version.major !== other.major) return version.major > other.major;
  if (minorDirty) return false;
  return patchDirty ? version.minor > other.minor : compareVersions(version, other) > 0;
}

function isLessOrEqual(version: Version, { version: other, isDirty, minorDirty }: Constraint): boolean {
  if (!isDirty) return compareVersions(version, other) <= 0;
  if (version.major > other.major) return false;
  return !(version.major === other.major && version.minor > other.minor && !minorDirty);
}

/** ~1.2 is >= 1.2.0, < 1.3.0; ~1 is >= 1.0.0, < 2.0.0; ~0.0.0 and ~* are anything. */
function isTilde(version: Version, { version: other, minorDirty, patchDirty }: Constraint): boolean {
  if (compareVersions(version, other) < 0) return false;
  const isZero = other.major === 0n && other.minor === 0n && other.patch === 0n;
  if (isZero && !minorDirty && !patchDirty) return true;
  return version.major === other.major && (version.minor === other.minor || minorDirty);
}

/** ^1.2.3 is >= 1.2.3, < 2.0.0; ^0.2.3 is >= 0.2.3, < 0.3.0; ^0.0.3 is 0.0.3 alone. */
function isCaret(version: Version, { version: other, minorDirty, patchDirty }: Constraint): boolean {
  if (compareVersions(version, other) < 0) return false;
  if (other.major > 0n || minorDirty) return version.major === other.major;
  if (version.major > 0n) return false;
  if (other.minor > 0n || patchDirty) return version.minor === other.minor;
  return version.minor === 0n && version.patch === other.patch;
}
