import { quote } from "@landscaper/goyaml";
import { GoRegExp } from "../regexp/go-regexp.ts";
import { FunctionError } from "../function-error.ts";
import { comparePrereleases, compareVersions, parseVersion, versionText, type Version } from "./semantic-version.ts";

/** Constraints on a version. */
export interface VersionConstraints {
  isFulfilledBy(version: Version): boolean;
  /** Why a version does not fulfil them, in the words of Masterminds; empty when it does. */
  problemsOf(version: Version): readonly string[];
}

/**
 * Where a comparison has to name a prerelease for prereleases to be accepted: in the same group of comparisons as of
 * release 3.4, before that in each of them.
 */
export type PrereleaseRule = "group" | "each";

const maxLength = 512;
const maxGroups = 32;
const operators = "=||!=|>|<|>=|=>|<=|=<|~|~>|\\^";
const versionPattern =
  "v?([0-9|x|X|\\*]+)(\\.[0-9|x|X|\\*]+)?(\\.[0-9|x|X|\\*]+)?" +
  "(-([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?(\\+([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?";

interface Patterns {
  readonly constraint: GoRegExp;
  readonly range: GoRegExp;
  readonly find: GoRegExp;
  readonly valid: GoRegExp;
}

let compiled: Patterns | undefined;

/** These patterns backtrack badly in JavaScript's own engine. To compile them takes as long as an empty Node, and few runs use them. */
function patterns(): Patterns {
  compiled ??= {
    constraint: GoRegExp.compile(`^\\s*(${operators})\\s*(${versionPattern})\\s*$`),
    range: GoRegExp.compile(`\\s*(${versionPattern})\\s+-\\s+(${versionPattern})\\s*`),
    find: GoRegExp.compile(`(${operators})\\s*(${versionPattern})`),
    valid: GoRegExp.compile(
      `^(\\s*(${operators})\\s*(${versionPattern})\\s*)((?:\\s+|,\\s*)(${operators})\\s*(${versionPattern})\\s*)*$`,
    ),
  };
  return compiled;
}

/** One comparison, such as ">= 1.2". `minorDirty` and `patchDirty`: that part is x or missing. */
interface Constraint {
  readonly operator: string;
  /** The version as written. */
  readonly original: string;
  readonly version: Version;
  readonly isDirty: boolean;
  readonly minorDirty: boolean;
  readonly patchDirty: boolean;
}

/**
 * semver.NewConstraint of Masterminds: groups apart by "||", comparisons in a group by space or comma, hyphen ranges.
 * Throws FunctionError with its messages.
 */
export function parseConstraints(text: string, rule: PrereleaseRule = "group"): VersionConstraints {
  if (text.length > maxLength) throw new FunctionError(`constraint string is too long (max ${maxLength} bytes)`);
  const parsed = parseSingles(text) ?? parseGroups(text);
  const isOpen = (group: readonly Constraint[], constraint: Constraint, version: Version): boolean =>
    version.prerelease === "" ||
    (rule === "each" ? [constraint] : group).some((other) => other.version.prerelease !== "");
  return {
    isFulfilledBy: (version) =>
      parsed.some((group) =>
        group.every((constraint) => isOpen(group, constraint, version) && isFulfilled(version, constraint)),
      ),
    problemsOf: (version) => {
      const problems = new Set<string>();
      for (const group of parsed) {
        const found = group.flatMap((constraint) =>
          isOpen(group, constraint, version) ? problemOf(version, constraint) : [prereleaseProblem(version)],
        );
        if (found.length === 0) return [];
        for (const problem of found) problems.add(problem);
      }
      return [...problems];
    },
  };
}

function prereleaseProblem(version: Version): string {
  return `${versionText(version)} is a prerelease version and the constraint is only looking for release versions`;
}

/** Why a version does not fulfil a comparison: no text or one. */
function problemOf(version: Version, constraint: Constraint): string[] {
  if (isFulfilled(version, constraint)) return [];
  return [`${versionText(version)} ${failedRelation(version, constraint)} ${constraint.original}`];
}

function failedRelation(version: Version, constraint: Constraint): string {
  switch (constraint.operator) {
    case "":
    case "=":
      return constraint.isDirty ? failedRange(version, constraint) : "is not equal to";
    case "!=":
      return "is equal to";
    case ">":
      return "is less than or equal to";
    case "<":
      return "is greater than or equal to";
    case ">=":
    case "=>":
      return "is less than";
    case "<=":
    case "=<":
      return "is greater than";
    default:
      return failedRange(version, constraint);
  }
}

function failedRange(version: Version, { operator, version: other }: Constraint): string {
  if (compareVersions(version, other) < 0) return "is less than";
  if (version.major !== other.major) return "does not have same major version as";
  if (operator !== "^") return "does not have same major and minor version as";
  return version.minor === other.minor ? "does not equal" : "does not have same minor version as";
}

/** A single comparison: as `constraint` of `patterns`, whose anchors and separate classes leave JavaScript nothing to backtrack over. */
const single = new RegExp(`^\\s*(${operators})\\s*(${versionPattern})\\s*$`.replaceAll("\\s", "[\\t\\n\\f\\r ]"));

/**
 * Groups of one comparison each, which nearly all constraints of charts are; undefined when one has another form. What `single` matches is
 * valid and contains no range.
 */
function parseSingles(text: string): Constraint[][] | undefined {
  const found: Constraint[][] = [];
  const groups = text.split("||");
  if (groups.length > maxGroups) return undefined;
  for (const group of groups) {
    const match = single.exec(group);
    if (match === null) return undefined;
    found.push([toConstraint(match)]);
  }
  return found;
}

function parseGroups(text: string): Constraint[][] {
  const groups = rewriteRanges(text).split("||");
  if (groups.length > maxGroups) throw new FunctionError(`too many constraint groups (max ${maxGroups})`);
  return groups.map(parseGroup);
}

/** "1.2 - 1.4" is ">= 1.2, <= 1.4". */
function rewriteRanges(text: string): string {
  let result = text;
  for (const { groups } of patterns().range.findAll(text)) {
    const range = groups[0] ?? "";
    const at = result.indexOf(range);
    result = `${result.slice(0, at)}>= ${groups[1]}, <= ${groups[11]} ${result.slice(at + range.length)}`;
  }
  return result;
}

function parseGroup(text: string): Constraint[] {
  if (!patterns().valid.test(text)) throw new FunctionError(`improper constraint: ${quote(text)}`);
  return patterns()
    .find.findAll(text)
    .map(({ groups }) => parseConstraint(groups[0] ?? ""));
}

function isX(part: string): boolean {
  return part === "" || part === "x" || part === "X" || part === "*";
}

function parseConstraint(text: string): Constraint {
  const groups = patterns().constraint.findAll(text, 1)[0]?.groups;
  if (groups === undefined) throw new FunctionError(`improper constraint: ${quote(text)}`);
  return toConstraint(groups);
}

/** The parts of a comparison as the pattern `constraint` finds them. */
function toConstraint(groups: readonly (string | undefined)[]): Constraint {
  const [, operator = "", original = "", major = "", minorPart = "", patchPart = "", prerelease = ""] = groups;
  const minor = minorPart.slice(1);
  const patch = patchPart.slice(1);
  const read = (version: string): Version => readConstraintVersion(version);
  if (isX(major)) {
    const version = read(`0.0.0${prerelease}`);
    return { operator, original, version, isDirty: true, minorDirty: false, patchDirty: false };
  }
  if (isX(minor)) {
    const version = read(`${major}.0.0${prerelease}`);
    return { operator, original, version, isDirty: true, minorDirty: true, patchDirty: false };
  }
  if (isX(patch)) {
    const version = read(`${major}.${minor}.0${prerelease}`);
    return { operator, original, version, isDirty: true, minorDirty: false, patchDirty: true };
  }
  return { operator, original, version: read(original), isDirty: false, minorDirty: false, patchDirty: false };
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
