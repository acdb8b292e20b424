import {
  FunctionError,
  type FunctionMap,
  type GoFunction,
  GoInt,
  GoObject,
  type Value,
  type Version,
  compareVersions,
  define,
  int,
  parseConstraints,
  parseVersion,
  typeName,
  versionText,
} from "@landscaper/golang";

/** A *semver.Version of Masterminds. */
class VersionObject extends GoObject {
  readonly typeName: string;
  override readonly goKind: string;
  readonly version: Version;

  constructor(version: Version, isPointer = true) {
    super();
    this.version = version;
    this.typeName = isPointer ? "*semver.Version" : "semver.Version";
    this.goKind = isPointer ? "ptr" : "struct";
  }

  override text(): string {
    return versionText(this.version);
  }

  override fields(): readonly (readonly [string, Value])[] {
    const { major, minor, patch, prerelease, metadata, original } = this.version;
    return [
      ["major", new GoInt("uint64", major)],
      ["minor", new GoInt("uint64", minor)],
      ["patch", new GoInt("uint64", patch)],
      ["pre", prerelease],
      ["metadata", metadata],
      ["original", original],
    ];
  }

  override method(name: string): GoFunction | undefined {
    return Object.hasOwn(methods, name) ? methods[name]?.(this.version) : undefined;
  }

  override isEqual(other: GoObject): boolean {
    return other instanceof VersionObject && other.version.original === this.version.original;
  }
}

type Method = (version: Version) => GoFunction;

function getter(read: (version: Version) => Value): Method {
  return (version) => define([], () => read(version));
}

function comparison(decide: (order: number) => Value): Method {
  return (version) =>
    define(["any"], ([other]) => {
      if (!(other instanceof VersionObject)) {
        throw new FunctionError(`wrong type for value; expected *semver.Version; got ${typeName(other)}`);
      }
      return decide(compareVersions(version, other.version));
    });
}

function increased(change: (version: Version) => Omit<Version, "original">): Method {
  return (version) =>
    define([], () => {
      const next = change(version);
      const prefix = version.original.startsWith("v") ? "v" : "";
      return new VersionObject({ ...next, original: prefix + versionText({ ...next, original: "" }) }, false);
    });
}

const methods: Readonly<Record<string, Method>> = {
  Major: getter(({ major }) => new GoInt("uint64", major)),
  Minor: getter(({ minor }) => new GoInt("uint64", minor)),
  Patch: getter(({ patch }) => new GoInt("uint64", patch)),
  Prerelease: getter(({ prerelease }) => prerelease),
  Metadata: getter(({ metadata }) => metadata),
  Original: getter(({ original }) => original),
  String: getter(versionText),
  Compare: comparison((order) => int(order)),
  Equal: comparison((order) => order === 0),
  LessThan: comparison((order) => order < 0),
  LessThanEqual: comparison((order) => order <= 0),
  GreaterThan: comparison((order) => order > 0),
  GreaterThanEqual: comparison((order) => order >= 0),
  IncMajor: increased(({ major }) => ({ major: major + 1n, minor: 0n, patch: 0n, prerelease: "", metadata: "" })),
  IncMinor: increased(({ major, minor }) => ({ major, minor: minor + 1n, patch: 0n, prerelease: "", metadata: "" })),
  IncPatch: increased(({ major, minor, patch, prerelease }) => ({
    major,
    minor,
    patch: prerelease === "" ? patch + 1n : patch,
    prerelease: "",
    metadata: "",
  })),
};

export const semverFunctions: FunctionMap = {
  semver: define(["string"], ([text]) => new VersionObject(parseVersion(text))),
  semverCompare: define(["string", "string"], ([constraint, text]) => {
    const constraints = parseConstraints(constraint);
    return constraints.isFulfilledBy(parseVersion(text));
  }),
};
