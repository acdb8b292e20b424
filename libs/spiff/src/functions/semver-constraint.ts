import { compareVersions, parseVersion, type Version } from "./semver.ts";

interface Condition {
  readonly operator: string;
  /** As written, without the operator. */
  readonly text: string;
  readonly version: Version;
  /** How many parts were given: a wildcard or a missing part ends them. */
  readonly parts: number;
}

/** Alternatives of conditions that must all hold. */
export type Constraint = readonly (readonly Condition[])[];

const conditionPattern = /^(=|==|!=|>=|=>|<=|=<|>|<|~>|~|\^)?\s*(v?[0-9xX*][0-9A-Za-z.*+-]*)$/;

/**
 * A constraint in the syntax of Masterminds/semver: "," or blanks for and, "||" for or, hyphen ranges, wildcards, ~ and ^.
 * Undefined for bad syntax.
 */
export function parseConstraint(text: string): Constraint | undefined {
  const alternatives: (readonly Condition[])[] = [];
  for (const alternative of text.split("||")) {
    const ranged = alternative.replaceAll(/(\S+)\s+-\s+(\S+)/g, ">=$1,<=$2");
    const joined = ranged.replaceAll(/([=<>~^!])\s+/g, "$1").trim();
    const conditions = joined.split(/\s*,\s*|\s+/).map(parseCondition);
    const valid = conditions.filter((condition) => condition !== undefined);
    if (valid.length !== conditions.length) return undefined;
    alternatives.push(valid);
  }
  return alternatives;
}

function parseCondition(text: string): Condition | undefined {
  const match = conditionPattern.exec(text);
  if (match === null) return undefined;
  const [, operator = "", written = ""] = match;
  const [core = "", ...rest] = written.split(/(?=[-+])/);
  const numbers = core.replace(/^v/, "").split(".");
  const wildcard = numbers.findIndex((part) => /^[xX*]$/.test(part));
  const given = wildcard < 0 ? numbers : numbers.slice(0, wildcard);
  const version = parseVersion(`${given.length === 0 ? "0" : given.join(".")}${wildcard < 0 ? rest.join("") : ""}`);
  return version === undefined ? undefined : { operator, text: written, version, parts: given.length };
}

/** Why a version does not satisfy a constraint; undefined when it does. */
export function violations(version: Version, constraint: Constraint): readonly string[] | undefined {
  const problems: string[] = [];
  for (const alternative of constraint) {
    const failed = alternative.map((condition) => violation(version, condition)).filter((text) => text !== undefined);
    if (failed.length === 0) return undefined;
    problems.push(...failed);
  }
  return problems;
}

function violation(version: Version, condition: Condition): string | undefined {
  const shown = show(version);
  if (version.prerelease !== "" && condition.version.prerelease === "") {
    return `${shown} is a prerelease version and the constraint is only looking for release versions`;
  }
  const text = condition.text;
  switch (condition.operator) {
    case "":
    case "=":
    case "==":
      return isSame(version, condition) ? undefined : `${shown} is not equal to ${text}`;
    case "!=":
      return isSame(version, condition) ? `${shown} is equal to ${text}` : undefined;
    case ">":
      return isAbove(version, condition) ? undefined : `${shown} is less than or equal to ${text}`;
    case ">=":
    case "=>":
      return compareVersions(version, condition.version) >= 0 ? undefined : `${shown} is less than ${text}`;
    case "<":
      return compareVersions(version, condition.version) < 0
        ? undefined
        : `${shown} is greater than or equal to ${text}`;
    case "<=":
    case "=<":
      return isAbove(version, condition) ? `${shown} is greater than ${text}` : undefined;
    default:
      return rangeViolation(version, condition);
  }
}

function show(version: Version): string {
  const { prefix, major, minor, patch, prerelease } = version;
  return `${prefix}${major}.${minor}.${patch}${prerelease === "" ? "" : `-${prerelease}`}`;
}

/** Equal in the parts that the condition gives. */
function isSame(version: Version, { version: wanted, parts }: Condition): boolean {
  if (parts === 0) return true;
  if (version.major !== wanted.major) return false;
  if (parts === 1) return true;
  if (version.minor !== wanted.minor) return false;
  return parts === 2 || compareVersions(version, wanted) === 0;
}

/** Above every version that the condition's parts cover. */
function isAbove(version: Version, condition: Condition): boolean {
  return compareVersions(version, condition.version) > 0 && !(condition.parts < 3 && isSame(version, condition));
}

function rangeViolation(version: Version, condition: Condition): string | undefined {
  const { version: wanted, parts, text, operator } = condition;
  if (parts === 0) return undefined;
  if (compareVersions(version, wanted) < 0) return `${show(version)} is less than ${text}`;
  const isTilde = operator !== "^";
  if (version.major !== wanted.major) return `${show(version)} does not have same major version as ${text}`;
  const isMinorFixed = isTilde ? parts > 1 : wanted.major === 0n && parts > 1;
  if (isMinorFixed && version.minor !== wanted.minor) {
    return `${show(version)} does not have same ${isTilde ? "major and " : ""}minor version as ${text}`;
  }
  const isPatchFixed = !isTilde && wanted.major === 0n && wanted.minor === 0n && parts > 2;
  if (isPatchFixed && version.patch !== wanted.patch) return `${show(version)} does not equal ${text}`;
  return undefined;
}
