import { deployItemPhases, type DeployItem, type DeployItemTemplate } from "@landscaper/api";
import { dependenciesOf, itemNameOf } from "./deploy-item-identity.ts";

/** The items of an install job by what they can do next (core.md §2.6). */
export interface InstallClasses {
  /** In the template, but no object is there: counts as failed (core.md §4.32). */
  readonly missing: readonly DeployItemTemplate[];
  readonly running: readonly DeployItem[];
  readonly succeeded: readonly DeployItem[];
  readonly failed: readonly DeployItem[];
  /** Not in this job yet, and everything they depend on has finished it. */
  readonly runnable: readonly DeployItem[];
  readonly pending: readonly DeployItem[];
}

/** The items of a deletion by what they can do next; those that are gone are in none. */
export interface DeleteClasses {
  readonly running: readonly DeployItem[];
  readonly failed: readonly DeployItem[];
  /** Not in this job yet, and no item that is still there depends on them. */
  readonly runnable: readonly DeployItem[];
  readonly pending: readonly DeployItem[];
}

function isOf(deployItem: DeployItem, jobID: string): boolean {
  return deployItem.status?.jobID === jobID;
}

function hasFinished(deployItem: DeployItem | undefined, jobID: string): boolean {
  return deployItem?.status?.jobIDFinished === jobID;
}

/** Sorts the items of the spec; `jobID` is the job of the Execution. */
export function classifyForInstall(
  templates: readonly DeployItemTemplate[],
  deployItems: readonly DeployItem[],
  jobID: string,
): InstallClasses {
  const byName = new Map(deployItems.map((deployItem) => [itemNameOf(deployItem), deployItem]));
  const classes = {
    missing: [] as DeployItemTemplate[],
    running: [] as DeployItem[],
    succeeded: [] as DeployItem[],
    failed: [] as DeployItem[],
    runnable: [] as DeployItem[],
    pending: [] as DeployItem[],
  };
  for (const template of templates) {
    const deployItem = byName.get(template.name);
    if (deployItem === undefined) {
      classes.missing.push(template);
    } else if (!isOf(deployItem, jobID)) {
      const isReady = (template.dependsOn ?? []).every((name) => hasFinished(byName.get(name), jobID));
      classes[isReady ? "runnable" : "pending"].push(deployItem);
    } else if (!hasFinished(deployItem, jobID)) {
      classes.running.push(deployItem);
    } else {
      const hasSucceeded = deployItem.status?.phase === deployItemPhases.succeeded;
      classes[hasSucceeded ? "succeeded" : "failed"].push(deployItem);
    }
  }
  return classes;
}

/**
 * Sorts items that are being deleted: each goes when nothing that is still there depends on it. The dependencies stand on the
 * objects, so that orphans keep the order, too (core.md §4.12, §4.13 fixed).
 */
export function classifyForDeletion(deployItems: readonly DeployItem[], jobID: string): DeleteClasses {
  const needed = new Set(deployItems.flatMap(dependenciesOf));
  const classes = {
    running: [] as DeployItem[],
    failed: [] as DeployItem[],
    runnable: [] as DeployItem[],
    pending: [] as DeployItem[],
  };
  for (const deployItem of deployItems) {
    if (!isOf(deployItem, jobID)) {
      classes[needed.has(itemNameOf(deployItem)) ? "pending" : "runnable"].push(deployItem);
    } else if (hasFinished(deployItem, jobID) && deployItem.status?.phase !== deployItemPhases.succeeded) {
      classes.failed.push(deployItem);
    } else {
      // Also one that has succeeded and whose finalizer is about to go.
      classes.running.push(deployItem);
    }
  }
  return classes;
}
