import type { Value } from "../../value/value.ts";
import type { Cell } from "../../value/cell.ts";
import { pathNames, type DocumentRun, type Environment } from "../environment.ts";
import { elsewhere } from "../merging/merge-record.ts";
import { redirect } from "../instantiate.ts";
import { findInStubs, isContainer, isDynamicExpression, isRedirecting } from "../merging/stubs.ts";

/** Stubs change it no more: it comes from one as a whole, or its expression sees to it. */
export function isKeptBranch(branch: Cell, { isOwn, document }: { isOwn: boolean; document: DocumentRun }): boolean {
  return (
    (branch.wasInjected && !isOwn) ||
    (isDynamicExpression(branch) && !isContainer(branch.value)) ||
    hasMerged(branch, document)
  );
}

/** The branch is a merge that has found something, or looks elsewhere: stubs change it no more. */
function hasMerged(branch: Cell, { stubs }: DocumentRun): boolean {
  if (branch.source?.kind === "control") return branch.hasMerged;
  if (branch.source?.kind !== "expression" || !branch.source.parsed.isMerging) return false;
  if (branch.source.markers?.isTemplate === true || branch.source.parsed.whole?.kind === "prefer") return false;
  if (isRedirecting(branch)) return true;
  return findInStubs(stubs, pathNames(branch.environment?.stubPath)) !== undefined;
}

/** An insertion with a merge in a branch decides where its fields look into stubs. */
export function redirected(branch: Cell | undefined, value: Value, environment: Environment): Environment {
  if (typeof value === "object" && value?.kind === "map" && value.stubPath !== undefined) {
    const { stubPath } = value;
    return { ...environment, ...(stubPath.length === 0 ? { isUnmerged: "injecting" } : elsewhere(stubPath)) };
  }
  const insert = branch?.source?.kind === "map" ? branch.source.insert : undefined;
  return insert === undefined ? environment : { ...environment, ...redirect(insert) };
}
