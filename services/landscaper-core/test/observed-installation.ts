// What the decisions about an Installation are made of.
import { apiVersion, finalizer, type Installation, type InstallationStatus } from "@landscaper/api";
import { decideInstallation } from "../src/installation/decide-installation.ts";
import type { InstallationDecision } from "../src/installation/installation-decision.ts";
import type { Child, ObservedInstallation } from "../src/installation/observed-installation.ts";

export const deleted = "2026-01-01T00:00:00Z";

export interface Given {
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly context?: string;
  readonly generation?: number;
  readonly isDeleting?: boolean;
  readonly isNested?: boolean;
  readonly status?: InstallationStatus;
  readonly observed?: Partial<ObservedInstallation>;
}

export function observe(given: Given): ObservedInstallation {
  const { generation = 1, context = "default", finalizers = [finalizer] } = given;
  const installation: Installation = {
    apiVersion,
    kind: "Installation",
    metadata: {
      name: "root",
      generation,
      finalizers,
      annotations: given.annotations ?? {},
      ...(given.isDeleting === true ? { deletionTimestamp: deleted } : {}),
    },
    spec: { context, blueprint: {} },
  };
  return {
    installation,
    status: given.status ?? {},
    isRoot: given.isNested !== true,
    children: [],
    missingChildren: [],
    droppedExportCount: 0,
    gate: { state: "open" },
    lateRing: undefined,
    successors: [],
    isAccessBack: false,
    isApplied: true,
    isReadyCurrent: true,
    change: undefined,
    ...given.observed,
  };
}

export const open = (phase?: string): InstallationStatus => ({
  jobID: "2",
  jobIDFinished: "1",
  ...(phase === undefined ? {} : { phase }),
});

export function child(fields: Partial<Child> = {}): Child {
  return {
    kind: "Installation",
    name: "sub",
    phase: undefined,
    jobID: undefined,
    jobIDFinished: undefined,
    isDeleting: false,
    needsDeletion: false,
    ...fields,
  };
}

export const execution = (fields: Partial<Child> = {}): Child => child({ kind: "Execution", name: "root", ...fields });
export const running = { jobID: "2", jobIDFinished: "1", phase: "Progressing" };
export const deleteFailed = { jobID: "2", jobIDFinished: "2", phase: "DeleteFailed", isDeleting: true };
export const metadata = (removesOperation: boolean): InstallationDecision => ({
  kind: "write-metadata",
  removesOperation,
});
export const decide = (observed: ObservedInstallation) =>
  decideInstallation(observed, new Date("2026-01-01T00:00:00Z"));
