import {
  annotations,
  apiVersion,
  generateDataName,
  hashDataObjectValue,
  hashTarget,
  labels,
  LandscaperError,
  scopeOfInstallation,
  type DataObject,
  type Installation,
  type KubeObject,
  type ObjectMeta,
  type Target,
} from "@landscaper/api";
import { outerScopeOf, type ExportedTarget, type RenderedExports } from "@landscaper/blueprint";
import { installationOwners, nameOf, uidOf } from "../object-reading.ts";
import { plainOwner, type ScopeObjects } from "./import-copies.ts";

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
  const spec = {
    type: exported.type,
    ...(exported.config === undefined ? {} : { config: exported.config }),
    ...(exported.secretRef === undefined ? {} : { secretRef: exported.secretRef }),
  };
  const metadata = exportMetadata({ ...options, hash: hashTarget(spec) });
  return {
    apiVersion,
    kind: "Target",
    metadata: {
      ...metadata,
      labels: { ...exported.labels, ...metadata.labels },
      annotations: { ...exported.annotations, ...metadata.annotations },
    },
    spec,
  };
}

/**
 * DataObjects and Targets that the Installation exports into the scope it lives in (core.md §1.2 no. 44, §3.3). That all wanted
 * exports are there, renderExports has made sure.
 */
export function buildExportObjects(installation: Installation, jobID: string, rendered: RenderedExports): ScopeObjects {
  const { exports } = installation.spec;
  const dataObjects = (exports?.data ?? []).map(({ name, dataRef }): DataObject => {
    const value = rendered.data[name];
    const metadata = exportMetadata({ installation, jobID, key: dataRef, hash: hashDataObjectValue(value) });
    return { apiVersion, kind: "DataObject", metadata, data: value };
  });
  const targets = (exports?.targets ?? []).flatMap(({ name, target }): readonly Target[] => {
    const exported = rendered.targets[name];
    return exported === undefined ? [] : [buildTarget(exported, { installation, jobID, key: target })];
  });
  return { dataObjects, targets };
}

/** Refuses to overwrite what another Installation owns; an object without such an owner is taken over (core.md §4.46). */
export function checkExportOwner(existing: KubeObject, installation: Installation): void {
  const other = installationOwners(existing).find(({ uid }) => uid !== uidOf(installation));
  if (other === undefined) return;
  throw new LandscaperError({
    message: `export: ${existing.kind} "${nameOf(existing)}" belongs to installation "${other.name}" already`,
    reason: "CreateOrUpdateExports",
    operation: "handlePhaseCompleting",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "export under another name",
    retry: "never",
  });
}
