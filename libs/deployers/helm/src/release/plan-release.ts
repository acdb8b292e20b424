import { digestOf } from "@landscaper/oci";
import {
  applyMethodOf,
  decideRelease,
  isPending,
  type ApplyMethod,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, type HelmStatus, type ReleaseName, type ReleaseStatus } from "../helm-status.ts";
import { furtherInputs } from "./release-options.ts";

/** What a job has to do with a release. */
export type ReleasePlan =
  /** The newest revision is what is wanted. */
  | { readonly type: "unchanged"; readonly record: ReleaseRecord }
  | {
      readonly type: "deploy";
      /** What the new revision will be. */
      readonly revision: number;
      readonly isUpgrade: boolean;
      /** A failed try of the same content, whose number is used again. */
      readonly retryOf: number | undefined;
      /** Deployed revision that differs only in its version of Helm. It stays if the new version renders the same objects. */
      readonly unlessSameAs?: ReleaseRecord | undefined;
    };

export interface PlanReleaseInput {
  /** The oldest first. */
  readonly history: readonly ReleaseRecord[];
  /** What the last job wrote down. */
  readonly status: ReleaseStatus | undefined;
  readonly inputs: string;
  /** The method that the item's strategy means; undefined: the item sets none, and the release keeps its method. */
  readonly method: ApplyMethod | undefined;
  /** Whether the newest revision has the wanted version of Helm. Default true. */
  readonly isOfVersion?: boolean | undefined;
}

const halfWay: ReadonlySet<string> = new Set(["failed", "pending-install", "pending-upgrade"]);

/** Decides by all revisions; a retry of what has failed makes no new one (deployers.md §6 B17). */
export function planRelease({ history, status, inputs, method, isOfVersion = true }: PlanReleaseInput): ReleasePlan {
  const newest = history.at(-1);
  const isOurs = newest !== undefined && status?.inputs === inputs && status.revision === newest.version;
  const isWanted = isOurs && newest.info.status === "deployed" && isOfMethod(newest, method);
  const isAsLeft = isWanted && digestOfText(newest.manifest) === status.manifest;
  if (isAsLeft && isOfVersion) return { type: "unchanged", record: newest };
  const retryOf = isOurs && halfWay.has(newest.info.status) ? newest.version : undefined;
  const before = retryOf === undefined ? history : history.slice(0, -1);
  // What was left pending will be recorded as failed before anything else.
  const decision = decideRelease(before.map((record) => (isPending(record) ? asFailed(record) : record)));
  // An uninstall that is ended takes all revisions with it.
  const last = decision.type === "finish-uninstall" ? 0 : (before.at(-1)?.version ?? 0);
  const next = { type: "deploy", revision: last + 1, isUpgrade: decision.type === "upgrade", retryOf } as const;
  return isAsLeft ? { ...next, unlessSameAs: newest } : next;
}

/** Whether a new revision would not change the method. A record of an older deployer, without a method, is not replaced for it. */
function isOfMethod(record: ReleaseRecord, method: ApplyMethod | undefined): boolean {
  return method === undefined || record.apply_method === undefined || applyMethodOf(record) === method;
}

function asFailed(record: ReleaseRecord): ReleaseRecord {
  return { ...record, info: { ...record.info, status: "failed" } };
}

/** Returns the release in the status of the last job, or undefined for another release. Without `manifest` if the item is not deployed as a release. */
export function knownRevision({ release, mode }: HelmStatus, config: ReleaseName): ReleaseStatus | undefined {
  if (release === undefined || !isSameRelease(release, config)) return undefined;
  return mode === "release" ? release : { ...release, manifest: undefined };
}

/** Digest of what decides how the objects of a release look and are deployed: chart, values, and `furtherInputs`. */
export function inputsDigest(chartDigest: string, config: HelmConfig): string {
  const { name, namespace, values } = config;
  const further = furtherInputs(config).map(sorted);
  return digestOfText(JSON.stringify([chartDigest, name, namespace, sorted(values), ...further]));
}

export function digestOfText(text: string): string {
  return digestOf(Buffer.from(text));
}

/** The same whatever the order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return entries.map(([key, item]) => [key, sorted(item)]);
}
