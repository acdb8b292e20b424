import { compareVersions, type Version, versionText } from "@landscaper/golang";
import { failLocally, known, quoting, type Message } from "../evaluate/failure.ts";
import { listOf } from "../value/build-value.ts";
import type { Value } from "../value/value.ts";
import { shownType, type Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { findSemverProblem, readVersion } from "./find-semver-problem.ts";

/** Functions on semantic versions, read as Masterminds/semver does. */
export const semverFunctions = defineFunctions({
  semver: (args) => versionText(only(args)),
  semverrelease: release,
  semvermajor: (args) => BigInt.asIntN(64, only(args).major),
  semverminor: (args) => BigInt.asIntN(64, only(args).minor),
  semverpatch: (args) => BigInt.asIntN(64, only(args).patch),
  semverincmajor: (args) => increment(args, ({ major }) => ({ major: next(major), minor: 0n, patch: 0n })),
  semverincminor: (args) => increment(args, ({ minor }) => ({ minor: next(minor), patch: 0n })),
  semverincpatch: (args) =>
    increment(args, ({ patch, prerelease }) => (prerelease === "" ? { patch: next(patch) } : {})),
  semverprerelease: (args) => part(args, "prerelease"),
  semvermetadata: (args) => part(args, "metadata"),
  semvercmp: (args) => {
    args.count(2, 2, "semvercmp requires two arguments");
    return BigInt(compareVersions(versionAt(args, 0), versionAt(args, 1)));
  },
  semvermatch: match,
  semvervalidate: validate,
  semversort: sort,
});

/** Parts of versions have 64 bits. */
function next(part: bigint): bigint {
  return BigInt.asUintN(64, part + 1n);
}

function only(args: Arguments): Version {
  args.count(1, 1, `${args.name} requires one semver argument`);
  return versionAt(args, 0);
}

function versionAt(args: Arguments, index: number): Version {
  return versionOf(args.name, args.at(index));
}

function versionOf(name: string, value: Value): Version {
  const version = readVersion(name, textOf(name, value));
  return "major" in version ? version : failLocally(version);
}

function textOf(name: string, value: Value): string {
  return typeof value === "string"
    ? value
    : failLocally(`${name} requires one string argument, but got ${shownType(value)}`);
}

/** A leading v is kept where only a part changes. */
function printChanged(version: Version, change: Partial<Version>): string {
  return (version.original.startsWith("v") ? "v" : "") + versionText({ ...version, ...change });
}

function release(args: Arguments): Value {
  args.count(1, 2, "semverrelease requires one semver argument and an optional value");
  const version = versionAt(args, 0);
  if (args.length === 1) return printChanged(version, { prerelease: "", metadata: "" });
  const text = optionalText(args, "release");
  const release = readVersion(args.name, text);
  if (!("major" in release)) return failLocally(invalidPart(args, "release", "Invalid Semantic Version"));
  const { prerelease, metadata } = version;
  return printChanged(release, { prerelease, metadata });
}

function increment(args: Arguments, change: (version: Version) => Partial<Version>): Value {
  const version = only(args);
  return printChanged(version, { prerelease: "", metadata: "", ...change(version) });
}

function part(args: Arguments, name: "prerelease" | "metadata"): Value {
  args.count(1, 2, `${args.name} requires one semver argument and an optional value`);
  const version = versionAt(args, 0);
  if (args.length === 1) return version[name];
  const text = optionalText(args, name);
  if (text !== "" && !/^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/.test(text)) {
    return failLocally(invalidPart(args, name, `Invalid ${name === "metadata" ? "Metadata" : "Prerelease"} string`));
  }
  if (name === "prerelease" && text.split(".").some((identifier) => /^0[0-9]+$/.test(identifier))) {
    return failLocally(invalidPart(args, name, "Version segment starts with 0"));
  }
  return printChanged(version, { [name]: text });
}

function optionalText(args: Arguments, noun: string): string {
  const value = args.at(1);
  return typeof value === "string"
    ? value
    : failLocally(`${args.name}: ${noun} requires string, but got ${shownType(value)}`);
}

function invalidPart(args: Arguments, noun: string, problem: string): Message {
  return quoting`${known(`${args.name}: invalid ${noun}`)} "${args.text(1)}": ${known(problem)}`;
}

/** One after the other: what stands behind a constraint that is not satisfied does not matter. */
function* constraintsOf(args: Arguments): Generator<string> {
  for (const [index, value] of args.values.slice(1).entries()) {
    yield typeof value === "string" ? value : failLocally(`${args.name}: constraint argument ${index} must be string`);
  }
}

function match(args: Arguments): Value {
  args.count(1, Number.POSITIVE_INFINITY, "semvermatch requires at least one arguments");
  return findSemverProblem(versionAt(args, 0), constraintsOf(args), known(args.name)) === undefined;
}

function validate(args: Arguments): Value {
  args.count(1, Number.POSITIVE_INFINITY, "semvervalidate requires at least one arguments");
  const text = textOf(args.name, args.at(0));
  const place = quoting`semvervalidate: "${text}"`;
  const version = readVersion(args.name, text);
  if (!("major" in version)) return failLocally(quoting`${place}: ${version}`);
  const problem = findSemverProblem(version, constraintsOf(args), quoting`${place}: semvervalidate`);
  return problem === undefined ? text : failLocally(quoting`${place}: ${problem}`);
}

function sort(args: Arguments): Value {
  const [first] = args.values;
  const isList = args.length === 1 && typeof first === "object" && first?.kind === "list";
  const values = isList ? first.items.map((cell) => cell.value) : args.values;
  const versions = values.map((value) => ({ value, version: versionOf("semversort", value) }));
  return listOf(versions.toSorted((a, b) => compareVersions(a.version, b.version)).map(({ value }) => value));
}
