import {
  annotations,
  installationPhases as phases,
  isFinalPhase,
  isJobOpen,
  scopeOfInstallation,
  type Installation,
  type KubeObject,
} from "@landscaper/api";
import { listSuccessors, type Siblings } from "@landscaper/blueprint";
import type { Core } from "../core.ts";
import { isReadyCurrent, type JobHolderStatus } from "../job-status.ts";
import {
  hasAnnotation,
  installationOwners,
  isDeleting,
  nameOf,
  namespaceOf,
  parentOf,
  uidOf,
} from "../object-reading.ts";
import { observeChanges } from "../triggers/observe-changes.ts";
import { isListedExport } from "./export-objects.ts";
import { findExecution } from "./find-execution.ts";
import { listExportsOf } from "./imports/import-reader.ts";
import type { InstallationPass } from "./installation-pass.ts";
import type { Child, ObservedInstallation, Successor } from "./observed-installation.ts";
import { checkPredecessors, findLateRing, type PredecessorGate } from "./imports/predecessors.ts";
import { createSiblings, listSubinstallations } from "./imports/siblings.ts";

type Informers = Core["informers"];

function toChild(
  kind: Child["kind"],
  object: KubeObject & { readonly status?: JobHolderStatus },
  parent: Installation,
): Child {
  const { phase, jobID, jobIDFinished } = object.status ?? {};
  const key = annotations.deleteWithoutUninstall;
  const needsDeletion = !isDeleting(object) || (hasAnnotation(parent, key) && !hasAnnotation(object, key));
  return { kind, name: nameOf(object), phase, jobID, jobIDFinished, isDeleting: isDeleting(object), needsDeletion };
}

export function listChildren(informers: Informers, installation: Installation): readonly Child[] {
  const execution = findExecution(informers, installation);
  return [
    ...(execution === undefined ? [] : [toChild("Execution", execution, installation)]),
    ...listSubinstallations(informers.installations.lister, installation).map((one) =>
      toChild("Installation", one, installation),
    ),
  ];
}

/** What the job has created and the caches do not have. */
function listMissing(
  { status }: InstallationPass,
  children: readonly Child[],
): ObservedInstallation["missingChildren"] {
  const expected = [
    ...(status.executionRef === undefined ? [] : [{ kind: "Execution" as const, name: status.executionRef.name }]),
    ...(status.installationRefs ?? []).map(({ ref }) => ({ kind: "Installation" as const, name: ref?.name ?? "" })),
  ];
  return expected.filter(({ kind, name }) => !children.some((child) => child.kind === kind && child.name === name));
}

/** Objects that this Installation has exported and that nobody else owns. */
export function listOwnExports<T extends KubeObject>(
  informer: Parameters<typeof listExportsOf<T>>[0],
  installation: Installation,
): readonly T[] {
  const source = scopeOfInstallation(nameOf(installation));
  return listExportsOf(informer, namespaceOf(installation), source).filter((object) =>
    installationOwners(object).every(({ uid }) => uid === uidOf(installation)),
  );
}

function countDroppedExports({ dataObjects, targets }: Informers, { installation }: InstallationPass): number {
  const all = [...listOwnExports<KubeObject>(dataObjects, installation), ...listOwnExports(targets, installation)];
  return all.filter((object) => !isListedExport(installation, object)).length;
}

function toSuccessors(pass: InstallationPass, siblings: Siblings): readonly Successor[] {
  const { installation, status } = pass;
  if (hasAnnotation(installation, annotations.deleteIgnoreSuccessors)) return [];
  return listSuccessors(installation, siblings).map((successor) => ({
    name: nameOf(successor),
    hasFailedDeletion:
      successor.status?.phase === phases.deleteFailed && successor.status.jobIDFinished === status.jobID,
  }));
}

function hasFailedDeletion({ installation, status }: InstallationPass): boolean {
  return isDeleting(installation) && status.phase === phases.deleteFailed && !isJobOpen(status);
}

const openGate: PredecessorGate = { state: "open" };

/** Collects what decideInstallation wants to know, from the informers alone. */
export function observeInstallation(
  core: Pick<Core, "clock" | "informers" | "news" | "lostAccess">,
  pass: InstallationPass,
): ObservedInstallation {
  const { informers } = core;
  const { installation, status } = pass;
  const isInit = status.phase === phases.init;
  const siblings = createSiblings(informers.installations.lister);
  const children =
    (status.phase ?? "") === "" || isFinalPhase(status.phase) ? [] : listChildren(informers, installation);
  return {
    installation,
    status,
    isRoot: parentOf(installation) === undefined,
    children,
    missingChildren: listMissing(pass, children),
    droppedExportCount: isInit && !pass.hasWithdrawnExports ? countDroppedExports(informers, pass) : 0,
    gate: isInit ? checkPredecessors({ ...installation, status }, siblings) : openGate,
    lateRing: isDeleting(installation) ? undefined : findLateRing({ ...installation, status }, siblings),
    isApplied: pass.isApplied,
    successors: status.phase === phases.initDelete ? toSuccessors(pass, siblings) : [],
    isAccessBack: hasFailedDeletion(pass) && core.lostAccess.isBack({ kind: "Installation", object: installation }),
    isReadyCurrent: isReadyCurrent(status, installation.metadata.generation ?? 0),
    change: observeChanges(core, pass),
  };
}
