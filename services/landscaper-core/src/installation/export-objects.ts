import {
  annotations,
  apiVersion,
  expectNothingElse,
  fromEveryField,
  generateDataName,
  hashDataObjectValue,
  hashTarget,
  labels,
  LandscaperError,
  scopeOfInstallation,
  sensitiveAnnotations,
  type DataObject,
  type Installation,
  type JsonPath,
  type KubeObject,
  type ObjectMeta,
  type Target,
  type TargetSpec,
} from "@landscaper/api";
import { outerScopeOf, type ExportedTarget, type RenderedExports } from "@landscaper/blueprint";
import { installationOwners, labelOf, nameOf } from "../object-reading.ts";
import { plainOwner, type ScopeObjects } from "./imports/import-copies.ts";

interface ExportOptions {
  readonly installation: Installation;
  readonly jobID: string;
  /** Name in the scope. */
  readonly key: string;
  readonly hash: string;
}

function exportMetadata({ installation, jobID, key, hash }: ExportOptions): ObjectMeta {
  const scope = outerScopeOf(installation);
  return {
    name: generateDataName(scope, key),
    namespace: installation.metadata.namespace ?? "",
    labels: {
      // Root exports bear no context (core.md §1.5 D5).
      ...(scope === "" ? {} : { [labels.dataContext]: scope }),
      [labels.dataKey]: key,
      [labels.dataSource]: scopeOfInstallation(nameOf(installation)),
      [labels.dataSourceType]: "export",
      [labels.dataJobId]: jobID,
    },
    annotations: { [annotations.dataHash]: hash },
    ownerReferences: [plainOwner(installation)],
  };
}

function buildTarget(exported: ExportedTarget, options: Omit<ExportOptions, "hash">): Target {
  const { type, config, secretRef, labels: ownLabels, annotations: ownAnnotations, ...rest } = exported;
  expectNothingElse(rest);
  const spec = fromEveryField<TargetSpec>({ type, config, secretRef });
  const metadata = exportMetadata({ ...options, hash: hashTarget(spec) });
  return {
    apiVersion,
    kind: "Target",
    metadata: {
      ...metadata,
      labels: { ...ownLabels, ...metadata.labels },
      annotations: { ...ownAnnotations, ...metadata.annotations },
    },
    spec,
  };
}

export interface ExportedValues {
  readonly rendered: RenderedExports;
  /** What of the exported data is secret, by name. */
  readonly sensitive: Readonly<Record<string, readonly JsonPath[]>>;
}

/**
 * DataObjects and Targets that the Installation exports into the scope it lives in (core.md §1.2 no. 44, §3.3). That all wanted
 * exports are there, renderExports has made sure.
 */
export function buildExportObjects(
  installation: Installation,
  jobID: string,
  { rendered, sensitive }: ExportedValues,
): ScopeObjects {
  const { exports } = installation.spec;
  const dataObjects = (exports?.data ?? []).map(({ name, dataRef }): DataObject => {
    const value = rendered.data[name];
    const metadata = exportMetadata({ installation, jobID, key: dataRef, hash: hashDataObjectValue(value) });
    const marked = { ...metadata.annotations, ...sensitiveAnnotations(sensitive[name] ?? []) };
    return { apiVersion, kind: "DataObject", metadata: { ...metadata, annotations: marked }, data: value };
  });
  const targets = (exports?.targets ?? []).flatMap(({ name, target = "" }): readonly Target[] => {
    const exported = rendered.targets[name];
    return exported === undefined ? [] : [buildTarget(exported, { installation, jobID, key: target })];
  });
  return { dataObjects, targets };
}

/** Whether the Installation still lists the export: a job deletes what it no longer lists. */
export function isListedExport(installation: Installation, { kind, metadata }: KubeObject): boolean {
  const { exports } = installation.spec;
  const scope = outerScopeOf(installation);
  const keys =
    kind === "Target"
      ? (exports?.targets ?? []).map(({ target = "" }) => target)
      : (exports?.data ?? []).map(({ dataRef }) => dataRef);
  return keys.some((key) => generateDataName(scope, key) === metadata.name);
}

/** Whether the object is an export that the same Installation, and no other one, has written in an earlier job. */
export function isOwnExport(existing: KubeObject, desired: KubeObject): boolean {
  const own = new Set(installationOwners(desired).map(({ uid }) => uid));
  const owners = installationOwners(existing);
  return (
    labelOf(existing, labels.dataSourceType) === "export" &&
    labelOf(existing, labels.dataSource) === labelOf(desired, labels.dataSource) &&
    owners.length > 0 &&
    owners.every(({ uid }) => own.has(uid))
  );
}

/** Whether an import of the parent that an earlier job has left stands under the name of an export (core.md §4.26). */
export function isStaleImport(existing: KubeObject, desired: KubeObject): boolean {
  const isOfScope = labelOf(existing, labels.dataContext) === labelOf(desired, labels.dataContext);
  const isOfJob = labelOf(existing, labels.dataJobId) === labelOf(desired, labels.dataJobId);
  const isImport = labelOf(existing, labels.dataSourceType) === "import";
  return isImport && labelOf(desired, labels.dataSourceType) === "export" && isOfScope && !isOfJob;
}

/**
 * Refuses to overwrite what another Installation owns; an object without such an owner is taken over (core.md §4.46), and so is a
 * stale import: its owner, the parent, would only drop it after this job.
 */
export function checkExportOwner(existing: KubeObject, desired: KubeObject): void {
  if (isStaleImport(existing, desired)) return;
  const own = new Set(installationOwners(desired).map(({ uid }) => uid));
  const other = installationOwners(existing).find(({ uid }) => !own.has(uid));
  if (other === undefined) return;
  const key = labelOf(desired, labels.dataKey) ?? "";
  throw new LandscaperError({
    message: `export to "${key}": ${existing.kind} "${nameOf(existing)}" belongs to installation "${other.name}" already`,
    reason: "CreateOrUpdateExports",
    operation: "handlePhaseCompleting",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "export under another name",
    retry: "never",
  });
}
