import {
  generateDataName,
  LandscaperError,
  parentOf,
  scopeOfInstallation,
  type DataImport,
  type Installation,
  type LocalRef,
  type TargetImport,
} from "@landscaper/api";

/** Where the value of one import comes from; object names are final, in the Installation's namespace. */
export type ImportSource = {
  readonly importName: string;
  /** As the user wrote it, for messages. */
  readonly reference: string;
} & (
  | { readonly kind: "dataObject"; readonly objectName: string }
  | { readonly kind: "secret"; readonly ref: LocalRef }
  | { readonly kind: "configMap"; readonly ref: LocalRef }
  | { readonly kind: "target"; readonly objectName: string }
  | { readonly kind: "targetList"; readonly objectNames: readonly string[] }
  | { readonly kind: "targetMap"; readonly objectNames: Readonly<Record<string, string>> }
  /** All elements that the parent imports as list or map `key`. */
  | { readonly kind: "parentList" | "parentMap"; readonly scope: string; readonly key: string }
);

/** Scope that an Installation lives in: "" for roots, the parent's inner scope for others (core.md §3.1). */
export function outerScopeOf(installation: Installation): string {
  const parent = parentOf(installation);
  return parent === undefined ? "" : scopeOfInstallation(parent.name);
}

function invalid(importName: string, problem: string): LandscaperError {
  return new LandscaperError({
    message: `import "${importName}": ${problem}`,
    reason: "ImportsSatisfied",
    operation: "init",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

function describeRef({ name, key }: LocalRef): string {
  return key === undefined ? `"${name}"` : `"${name}" (key "${key}")`;
}

/** Names the object and key that a data import reads, for messages about the value. Returns {} for Targets. */
export function originOf(source: ImportSource): { readonly origin?: string } {
  switch (source.kind) {
    case "dataObject":
      return { origin: source.reference.replace("data object", "DataObject") };
    case "secret":
      return { origin: `Secret ${describeRef(source.ref)}` };
    case "configMap":
      return { origin: `ConfigMap ${describeRef(source.ref)}` };
    case "target":
    case "targetList":
    case "targetMap":
    case "parentList":
    case "parentMap":
      return {};
  }
}

function dataSource(data: DataImport, scope: string): ImportSource {
  const { name: importName, dataRef, secretRef, configMapRef } = data;
  if (secretRef !== undefined) {
    return { importName, kind: "secret", ref: secretRef, reference: `secret ${describeRef(secretRef)}` };
  }
  if (configMapRef !== undefined) {
    return { importName, kind: "configMap", ref: configMapRef, reference: `config map ${describeRef(configMapRef)}` };
  }
  if (dataRef === undefined) throw invalid(importName, "expected dataRef, secretRef or configMapRef, found none");
  const objectName = generateDataName(scope, dataRef);
  return { importName, kind: "dataObject", objectName, reference: `data object "${dataRef}"` };
}

/** A list of one-entry maps is another way to write a target map (core.md §1.5 D4). */
function mapFromList(targets: NonNullable<TargetImport["targets"]>): Readonly<Record<string, string>> | undefined {
  const maps = targets.filter((entry) => typeof entry !== "string");
  if (maps.length === 0) return undefined;
  return maps.length === targets.length ? Object.assign({}, ...maps) : undefined;
}

function mapSource(importName: string, targets: Readonly<Record<string, string>>, scope: string): ImportSource {
  const names = Object.entries(targets).map(([key, target]) => [key, generateDataName(scope, target)] as const);
  const reference = `targets ${Object.values(targets)
    .map((target) => `"${target}"`)
    .join(", ")}`;
  return { importName, kind: "targetMap", objectNames: Object.fromEntries(names), reference };
}

function listSource(importName: string, targets: readonly string[], scope: string): ImportSource {
  return {
    importName,
    kind: "targetList",
    objectNames: targets.map((target) => generateDataName(scope, target)),
    reference: `targets ${targets.map((target) => `"${target}"`).join(", ")}`,
  };
}

function parentSource(
  importName: string,
  kind: "parentList" | "parentMap",
  { key, scope }: { readonly key: string; readonly scope: string },
): ImportSource {
  if (scope === "") {
    const field = kind === "parentMap" ? "targetMapRef" : "targetListRef";
    throw invalid(importName, `${field} names an import of the parent, but a root installation has none`);
  }
  return { importName, kind, scope, key, reference: `target ${kind === "parentMap" ? "map" : "list"} import "${key}"` };
}

function targetSource(targetImport: TargetImport, scope: string): ImportSource {
  const { name: importName, target, targets, targetListRef, targetMap, targetMapRef } = targetImport;
  if (target !== undefined) {
    return {
      importName,
      kind: "target",
      objectName: generateDataName(scope, target),
      reference: `target "${target}"`,
    };
  }
  if (targetMapRef !== undefined) return parentSource(importName, "parentMap", { key: targetMapRef, scope });
  if (targetListRef !== undefined) return parentSource(importName, "parentList", { key: targetListRef, scope });
  if (targetMap !== undefined) return mapSource(importName, targetMap, scope);
  if (targets === undefined) {
    throw invalid(importName, "expected target, targets, targetListRef, targetMap or targetMapRef, found none");
  }
  const map = mapFromList(targets);
  if (map !== undefined) return mapSource(importName, map, scope);
  const names = targets.filter((entry) => typeof entry === "string");
  if (names.length !== targets.length) throw invalid(importName, "targets: expected names or maps, found both");
  return listSource(importName, names, scope);
}

/** The sources of all imports of an Installation, in the order of its spec. Throws LandscaperError for a source that says nothing. */
export function listImportSources(installation: Installation): readonly ImportSource[] {
  const { imports } = installation.spec;
  const scope = outerScopeOf(installation);
  return [
    ...(imports?.data ?? []).map((data) => dataSource(data, scope)),
    ...(imports?.targets ?? []).map((target) => targetSource(target, scope)),
  ];
}
