import {
  annotations,
  apiVersion,
  generateDataName,
  hashDataObjectValue,
  hashTarget,
  labels,
  listElementName,
  mapElementName,
  scopeOfInstallation,
  sensitiveAnnotations,
  type DataObject,
  type Installation,
  type ObjectMeta,
  type OwnerReference,
  type Target,
} from "@landscaper/api";
import type { ImportedValues } from "@landscaper/blueprint";

/** What an Installation puts into its own scope, or into its parent's as exports. */
export interface ScopeObjects {
  readonly dataObjects: readonly DataObject[];
  readonly targets: readonly Target[];
}

/** Plain owner reference: several may own a data object, none controls it (core.md §3.3). */
export function plainOwner(installation: Installation): OwnerReference {
  const { name = "", uid = "" } = installation.metadata;
  return { apiVersion, kind: "Installation", name, uid };
}

interface CopyOptions {
  readonly installation: Installation;
  readonly jobID: string;
  /** Import name. */
  readonly key: string;
  /** Name in the scope; differs from the key for elements of lists and maps. */
  readonly elementName: string;
  readonly hash: string;
  readonly extraLabels?: Readonly<Record<string, string>>;
}

function copyMetadata({ installation, jobID, key, elementName, hash, extraLabels }: CopyOptions): ObjectMeta {
  const { name = "", namespace = "" } = installation.metadata;
  const scope = scopeOfInstallation(name);
  return {
    name: generateDataName(scope, elementName),
    namespace,
    labels: {
      [labels.dataContext]: scope,
      [labels.dataKey]: key,
      [labels.dataSource]: scope,
      [labels.dataSourceType]: "import",
      [labels.dataJobId]: jobID,
      ...extraLabels,
    },
    annotations: { [annotations.dataHash]: hash },
    ownerReferences: [plainOwner(installation)],
  };
}

function copyTarget(target: Target, options: Omit<CopyOptions, "hash">): Target {
  return {
    apiVersion,
    kind: "Target",
    metadata: copyMetadata({ ...options, hash: hashTarget(target.spec) }),
    spec: target.spec,
  };
}

/** A single target keeps what its user has put on it; elements of lists and maps do not (core.md §4.15). */
function copySingleTarget(target: Target, options: Omit<CopyOptions, "hash">): Target {
  const copy = copyTarget(target, options);
  return {
    ...copy,
    metadata: {
      ...copy.metadata,
      labels: { ...withoutOurs(target.metadata.labels), ...copy.metadata.labels },
      annotations: { ...withoutOurs(target.metadata.annotations), ...copy.metadata.annotations },
    },
  };
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const ours: ReadonlySet<string> = new Set([
  labels.dataContext,
  labels.dataKey,
  labels.dataSource,
  labels.dataSourceType,
  labels.dataJobId,
  labels.dataIndex,
  labels.dataTargetMapKey,
  annotations.dataHash,
  lastApplied,
]);

function withoutOurs(entries: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => !ours.has(key)));
}

/** Copies of the import values in the Installation's own scope, where its children find them (core.md §2.3 Init h, §3.3). */
export function buildImportCopies(installation: Installation, jobID: string, values: ImportedValues): ScopeObjects {
  const dataObjects: DataObject[] = [];
  const targets: Target[] = [];
  for (const [key, value] of Object.entries(values)) {
    const base = { installation, jobID, key };
    switch (value.type) {
      case "data": {
        const hash = hashDataObjectValue(value.value);
        const metadata = copyMetadata({ ...base, elementName: key, hash });
        const marked = { ...metadata.annotations, ...sensitiveAnnotations(value.sensitive ?? []) };
        dataObjects.push({
          apiVersion,
          kind: "DataObject",
          metadata: { ...metadata, annotations: marked },
          data: value.value,
        });
        break;
      }
      case "target":
        targets.push(copySingleTarget(value.target, { ...base, elementName: key }));
        break;
      case "targetList":
        for (const [index, target] of value.targets.entries()) {
          const extraLabels = { [labels.dataIndex]: String(index) };
          targets.push(copyTarget(target, { ...base, elementName: listElementName(key, index), extraLabels }));
        }
        break;
      case "targetMap":
        for (const [mapKey, target] of Object.entries(value.targets)) {
          const extraLabels = { [labels.dataTargetMapKey]: mapKey };
          targets.push(copyTarget(target, { ...base, elementName: mapElementName(key, mapKey), extraLabels }));
        }
        break;
    }
  }
  return { dataObjects, targets };
}

/** Names of copies of imports in the Installation's own scope, by kind. */
export interface CopyNames {
  readonly dataObjects: readonly string[];
  readonly targets: readonly string[];
}

/** The names that `buildImportCopies` gives. */
export function nameImportCopies(installation: Installation, values: ImportedValues): CopyNames {
  const scope = scopeOfInstallation(installation.metadata.name ?? "");
  const namesOf = (isData: boolean): readonly string[] =>
    Object.entries(values)
      .filter(([, value]) => (value.type === "data") === isData)
      .flatMap(([key, value]) => listElementNames(key, value))
      .map((elementName) => generateDataName(scope, elementName));
  return { dataObjects: namesOf(true), targets: namesOf(false) };
}

function listElementNames(key: string, value: ImportedValues[string]): readonly string[] {
  switch (value.type) {
    case "data":
    case "target":
      return [key];
    case "targetList":
      return value.targets.map((_, index) => listElementName(key, index));
    case "targetMap":
      return Object.keys(value.targets).map((mapKey) => mapElementName(key, mapKey));
  }
}
