import { gunzipSync, gzipSync } from "node:zlib";
import { releaseError } from "../release-error.ts";

export const releaseStatuses = [
  "unknown",
  "deployed",
  "uninstalled",
  "superseded",
  "failed",
  "uninstalling",
  "pending-install",
  "pending-upgrade",
  "pending-rollback",
] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

/** Phase of the last run of a hook; "" before the first. */
export type HookPhase = "" | "Unknown" | "Running" | "Succeeded" | "Failed";

/** A hook as a record keeps it. */
export interface HookRecord {
  readonly name: string;
  readonly kind: string;
  /** The template that it is from. */
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly string[];
  readonly last_run: { readonly started_at: string; readonly completed_at: string; readonly phase: HookPhase };
  readonly weight?: number;
  readonly delete_policies?: readonly string[];
  readonly output_log_policies?: readonly string[];
}

/** What happened to a revision. Times are RFC 3339, "" when it has not happened. */
export interface ReleaseInfo {
  readonly first_deployed: string;
  readonly last_deployed: string;
  readonly deleted: string;
  readonly description: string;
  readonly status: ReleaseStatus;
  readonly notes?: string;
}

/**
 * A revision of a release, in the wire form of Helm 3: what `helm` reads and writes. Fields that we do not know stay in it when a record is
 * written again.
 */
export interface ReleaseRecord {
  readonly name: string;
  readonly namespace: string;
  /** The revision, from 1. */
  readonly version: number;
  readonly info: ReleaseInfo;
  /** Chart as `chartRecord` makes it. */
  readonly chart: Readonly<Record<string, unknown>>;
  /** Values that the user gave. */
  readonly config: Readonly<Record<string, unknown>>;
  /** All manifests but the hooks. */
  readonly manifest: string;
  readonly hooks: readonly HookRecord[];
  /** Why what is stored cannot be read; then nothing but revision and status (as labelled) is known. Never stored itself. */
  readonly unreadable?: string;
}

/** Larger ones are damaged or an attack: a record must fit into a Secret of 1 MiB. */
const maxRecordBytes = 256 * 1024 * 1024;

/** What the API server takes in a Secret or ConfigMap, keys not counted. */
export const maxStoredBytes = 1024 * 1024;
/** For what is written into the record later: a description of up to `maxDescriptionLength`, and the run of each hook. */
const reservedBytes = 8 * 1024;
const reservedBytesPerHook = 64;
export const maxDescriptionLength = 4096;

/** Bytes of a record as it is stored, at its largest: as it may become before its operation has ended. */
export function largestSize(record: ReleaseRecord): number {
  return encodeRelease(record).length + reservedBytes + reservedBytesPerHook * record.hooks.length;
}

/** base64 of the gzipped JSON, as it stands in a ConfigMap, and in a Secret before that is encoded as a whole. */
export function encodeRelease(record: ReleaseRecord): string {
  return gzipSync(JSON.stringify(record), { level: 9 }).toString("base64");
}

/** The reverse; very old records are not zipped. Throws LandscaperError naming `where`. */
export function decodeRelease(text: string, where: string): ReleaseRecord {
  const bytes = Buffer.from(text, "base64");
  let record: unknown;
  try {
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const json = isZipped ? gunzipSync(bytes, { maxOutputLength: maxRecordBytes }) : bytes;
    record = JSON.parse(json.toString("utf8"));
  } catch {
    throw releaseError("InvalidRelease", `${where}: the record of the release cannot be read: it is no zipped JSON`);
  }
  if (isReleaseRecord(record)) return { ...record, hooks: record.hooks ?? [], config: record.config ?? {} };
  throw releaseError("InvalidRelease", `${where}: the record of the release has no name, version or status`);
}

function isReleaseRecord(value: unknown): value is ReleaseRecord {
  const record = value as Partial<ReleaseRecord> | null;
  return (
    typeof record === "object" &&
    record !== null &&
    typeof record.name === "string" &&
    typeof record.version === "number" &&
    typeof record.manifest === "string" &&
    typeof record.info?.status === "string"
  );
}
