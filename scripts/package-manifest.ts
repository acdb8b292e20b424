/** What is read of a package.json of the workspace. */
export interface WorkspaceManifest {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly sideEffects?: boolean;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface PackedPackage {
  /** Packages of the workspace whose modules the public ones of `exports` import, but no entry that production code uses: authors install them for tests. */
  readonly testPackages?: readonly string[];
  /** The entries that others may use, such as "." or "./testing". */
  readonly entries: readonly string[];
}

export interface PackOptions {
  readonly version: string;
  /** Versions by name, of pnpm-workspace.yaml. */
  readonly catalog: Readonly<Record<string, string>>;
  /** Such as ">=24". */
  readonly node: string;
}

/** The packages that these need at run time or for their tests' entries, and they themselves: names sorted. Throws for one that the workspace lacks. */
export function closureOf(
  names: readonly string[],
  manifests: ReadonlyMap<string, Pick<WorkspaceManifest, "dependencies">>,
): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const manifest = manifests.get(name);
    if (manifest === undefined) throw new Error(`the workspace has no package ${name}`);
    found.add(name);
    for (const [dependency, range] of Object.entries(manifest.dependencies ?? {})) {
      if (range === "workspace:*") visit(dependency);
    }
  };
  names.forEach(visit);
  return [...found].toSorted();
}

const built = (path: string): { readonly types: string; readonly default: string } => ({
  types: path.replace(/\.ts$/, ".d.ts"),
  default: path.replace(/\.ts$/, ".js"),
});

function pickEntries(manifest: WorkspaceManifest, entries: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    entries.map((entry) => {
      const path = manifest.exports[entry];
      if (path === undefined) throw new Error(`${manifest.name} exports no "${entry}"`);
      return [entry, built(path)];
    }),
  );
}

/** The package.json with which a package of the workspace stands alone: JavaScript with types, every version exact. Throws for a version that is not known. */
export function packedManifest(
  manifest: WorkspaceManifest,
  { entries, testPackages = [] }: PackedPackage,
  { version, catalog, node }: PackOptions,
): Readonly<Record<string, unknown>> {
  const exact = (name: string, range: string | undefined): string => {
    if (range === "workspace:*") return version;
    const known = range === "catalog:" ? catalog[name] : undefined;
    if (known === undefined) throw new Error(`${manifest.name}: no exact version of ${name} ("${range}")`);
    return known;
  };
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [name, exact(name, range)]);
  const peers = testPackages.map((name) => [name, exact(name, manifest.devDependencies?.[name])]);
  return {
    name: manifest.name,
    version,
    description: manifest.description,
    license: manifest.license,
    type: manifest.type,
    ...(manifest.sideEffects === undefined ? {} : { sideEffects: manifest.sideEffects }),
    exports: pickEntries(manifest, entries),
    files: ["src", "test"],
    engines: { node },
    dependencies: Object.fromEntries(dependencies),
    ...(peers.length === 0
      ? {}
      : {
          peerDependencies: Object.fromEntries(peers),
          peerDependenciesMeta: Object.fromEntries(testPackages.map((name) => [name, { optional: true }])),
        }),
  };
}
