import { failLocally, quoting } from "../evaluate/failure.ts";
import { listOf } from "../value/build-value.ts";
import type { Value } from "../value/value.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { compareVersions, parseVersion, printVersion, type Version } from "./semver.ts";
import { parseConstraint, violations } from "./semver-constraint.ts";

/** Functions on semantic versions (spiff.md §3.9). */
export const semverFunctions = defineFunctions({
  semver: (args) => (args.count(1, 1), printVersion(versionOf(args, 0))),
  semverrelease: release,
  semvermajor: (args) => (args.count(1, 1), versionOf(args, 0).major),
  semverminor: (args) => (args.count(1, 1), versionOf(args, 0).minor),
  semverpatch: (args) => (args.count(1, 1), versionOf(args, 0).patch),
  semverincmajor: (args) => increment(args, (version) => ({ major: version.major + 1n, minor: 0n, patch: 0n })),
  semverincminor: (args) => increment(args, (version) => ({ minor: version.minor + 1n, patch: 0n })),
  semverincpatch: (args) =>
    increment(args, (version) => (version.prerelease === "" ? { patch: version.patch + 1n } : {})),
  semverprerelease: (args) => part(args, "prerelease"),
  semvermetadata: (args) => part(args, "metadata"),
  semvercmp: (args) => (args.count(2, 2), BigInt(compareVersions(versionOf(args, 0), versionOf(args, 1)))),
  semvermatch: (args) => problemsOf(args) === undefined,
  semvervalidate: (args) => {
    const problems = problemsOf(args);
    if (problems === undefined) return args.at(0);
    return failLocally(quoting`semvervalidate: "${args.text(0)}": [${problems.join(" ")}]`);
  },
  semversort: sort,
});

function versionOf(args: Arguments, index: number): Version {
  return (
    parseVersion(args.text(index)) ??
    failLocally(quoting`${JSON.stringify(args.text(index))}: Invalid Semantic Version`)
  );
}

function printOriginal(version: Version): string {
  return version.prefix + printVersion(version);
}

function release(args: Arguments): Value {
  args.count(1, 2);
  const version = versionOf(args, 0);
  if (args.length === 1) return printOriginal({ ...version, prerelease: "", metadata: "" });
  const { major, minor, patch } = versionOf(args, 1);
  return printOriginal({ ...version, major, minor, patch });
}

function increment(args: Arguments, change: (version: Version) => Partial<Version>): Value {
  args.count(1, 1);
  const version = versionOf(args, 0);
  return printOriginal({ ...version, prerelease: "", metadata: "", ...change(version) });
}

function part(args: Arguments, name: "prerelease" | "metadata"): Value {
  args.count(1, 2);
  const version = versionOf(args, 0);
  return args.length === 1 ? version[name] : printOriginal({ ...version, [name]: args.text(1) });
}

/** Why the first argument does not satisfy the others; undefined when it does. */
function problemsOf(args: Arguments): readonly string[] | undefined {
  args.count(1);
  const version = versionOf(args, 0);
  for (let index = 1; index < args.length; index++) {
    const constraint =
      parseConstraint(args.text(index)) ?? failLocally(quoting`improper constraint: ${args.text(index)}`);
    const problems = violations(version, constraint);
    if (problems !== undefined) return problems;
  }
  return undefined;
}

function sort(args: Arguments): Value {
  const values = args.values.flatMap((value) =>
    typeof value === "object" && value?.kind === "list" ? value.items.map((cell) => cell.value) : [value],
  );
  const versions = values.map((value) => {
    const text = typeof value === "string" ? value : failLocally("semversort: versions must be strings");
    return {
      text,
      version: parseVersion(text) ?? failLocally(quoting`${JSON.stringify(text)}: Invalid Semantic Version`),
    };
  });
  return listOf(versions.toSorted((a, b) => compareVersions(a.version, b.version)).map(({ text }) => text));
}
