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

/** One copy of an import: the value of a data import, a target, or an element of a list or map of targets. */
type CopyElement = Pick<CopyOptions, "key" | "elementName" | "extraLabels"> &
  (
    | { readonly type: "data"; readonly value: Extract<ImportedValues[string], { type: "data" }> }
    | { readonly type: "single" | "element"; readonly target: Target }
  );

function listElements(key: string, value: ImportedValues[string]): readonly CopyElement[] {
  switch (value.type) {
    case "data":
      return [{ type: "data", key, elementName: key, value }];
    case "target":
      return [{ type: "single", key, elementName: key, target: value.target }];
    case "targetList":
      return value.targets.map((target, index) => ({
        type: "element",
        key,
        elementName: listElementName(key, index),
        extraLabels: { [labels.dataIndex]: String(index) },
        target,
      }));
    case "targetMap":
      return Object.entries(value.targets).map(([mapKey, target]) => ({
        type: "element",
        key,
        elementName: mapElementName(key, mapKey),
        extraLabels: { [labels.dataTargetMapKey]: mapKey },
        target,
      }));
  }
}

function listAllElements(values: ImportedValues): readonly CopyElement[] {
  return Object.entries(values).flatMap(([key, value]) => listElements(key, value));
}

/** Copies of the import values in the Installation's own scope, where its children find them (core.md §2.3 Init h, §3.3). */
export function buildImportCopies(installation: Installation, jobID: string, values: ImportedValues): ScopeObjects {
  const dataObjects: DataObject[] = [];
  const targets: Target[] = [];
  for (const element of listAllElements(values)) {
    const options = { installation, jobID, ...element };
    switch (element.type) {
      case "data": {
        const { value, sensitive = [] } = element.value;
        const metadata = copyMetadata({ ...options, hash: hashDataObjectValue(value) });
        const marked = { ...metadata.annotations, ...sensitiveAnnotations(sensitive) };
        dataObjects.push({
          apiVersion,
          kind: "DataObject",
          metadata: { ...metadata, annotations: marked },
          data: value,
        });
        break;
      }
      case "single":
        targets.push(copySingleTarget(element.target, options));
        break;
      case "element":
        targets.push(copyTarget(element.target, options));
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
  const elements = listAllElements(values);
  const namesOf = (isData: boolean): readonly string[] =>
    elements
      .filter(({ type }) => (type === "data") === isData)
      .map(({ elementName }) => generateDataName(scope, elementName));
  return { dataObjects: namesOf(true), targets: namesOf(false) };
}
