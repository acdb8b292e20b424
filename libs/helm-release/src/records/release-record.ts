import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { holdsMoreValues, JsonMeter } from "@landscaper/api";
import { ownTurn } from "@landscaper/controller-runtime";
import type { HelmVersion } from "@landscaper/helm";
import { parseJson } from "@landscaper/json";
import { releaseError } from "../release-error.ts";
import type { ReleaseLabels } from "./release-labels.ts";

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
  /** Of a rollback: the revision that it went back to. Helm 4 writes it. */
  readonly rollback_revision?: number;
}

/**
 * A revision of a release, in the wire form that Helm 3 and 4 read and write. Unknown fields, such as those of a newer Helm, stay in it when
 * the record is written again, and the next revision keeps them (`keptFields`).
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
  /** How the objects were written: "ssa" or "csa" (`applyMethodOf`). Helm 3 writes none. */
  readonly apply_method?: string;
  /** Labels of the record's object, without those of Helm. Never stored in the record itself. */
  readonly labels?: ReleaseLabels;
  /** Version of Helm that the deployer rendered the revision as, from an annotation of the record's object. Never stored in the record itself. */
  readonly helmVersion?: HelmVersion | undefined;
  /** Why what is stored cannot be read; then nothing but revision and status (as labelled) is known. Never stored itself. */
  readonly unreadable?: string;
}

/** Larger ones are damaged or an attack: a record must fit into a Secret of 1 MiB. */
export const maxRecordBytes = 32 * 1024 * 1024;
/** Of JSON. Charts are texts; only values, schemas and dependencies of charts are more than a few. */
const maxRecordValues = 200_000;
const maxRecordLevels = 1000;
/** How much is measured at once. */
const sliceBytes = 1024 * 1024;

// Both work in threads of node, so that the main thread has its time.
const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** What the API server takes in a Secret or ConfigMap, keys not counted. */
export const maxStoredBytes = 1024 * 1024;
/** For what is written into the record later: a description of up to `maxDescriptionLength`, and the run of each hook. */
const reservedBytes = 8 * 1024;
const reservedBytesPerHook = 64;
export const maxDescriptionLength = 4096;

/** Of values: less is written down in some milliseconds. */
const largeRecord = 2000;

/** Bytes of a record as it is stored, at its largest: as it may become before its operation has ended. */
export async function largestSize(record: ReleaseRecord): Promise<number> {
  return (await encodeRelease(record)).length + reservedBytes + reservedBytesPerHook * record.hooks.length;
}

/** base64 of the gzipped JSON, as it stands in a ConfigMap, and in a Secret before that is encoded as a whole. */
export async function encodeRelease(record: ReleaseRecord): Promise<string> {
  if (holdsMoreValues(record, largeRecord)) await ownTurn();
  return (await zip(JSON.stringify(storedFields(record)), { level: 9 })).toString("base64");
}

/** Returns the record without the fields that come from its object. The stored JSON must not set them. */
function storedFields(record: ReleaseRecord): ReleaseRecord {
  const { labels: _label, helmVersion: _annotation, unreadable: _problem, ...stored } = record;
  return stored;
}

export interface DecodedRelease {
  readonly record: ReleaseRecord;
  /** Of its JSON. */
  readonly bytes: number;
}

/** The reverse; very old records are not zipped. At most `maxBytes` of JSON. Throws LandscaperError naming `where`. */
export async function decodeRelease(text: string, where: string, maxBytes = maxRecordBytes): Promise<DecodedRelease> {
  const bytes = Buffer.from(text, "base64");
  const json = await unzipped(bytes, { where, maxBytes });
  await checkValues(json, where);
  let record: unknown;
  try {
    record = parseJson(json.toString("utf8"));
  } catch {
    throw unreadableRecord(where);
  }
  if (isReleaseRecord(record)) {
    return {
      record: { ...storedFields(record), hooks: record.hooks ?? [], config: record.config ?? {} },
      bytes: json.length,
    };
  }
  throw releaseError("InvalidRelease", `${where}: the record of the release has no name, version or status`);
}

async function unzipped(
  bytes: Buffer,
  { where, maxBytes }: { readonly where: string; readonly maxBytes: number },
): Promise<Buffer> {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isZipped) return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
    throw code === "ERR_BUFFER_TOO_LARGE"
      ? tooMuch(where, `${Math.ceil(maxBytes / sliceBytes)} MiB`)
      : unreadableRecord(where);
  }
}

/** What few bytes of JSON make can keep the main thread for seconds. */
async function checkValues(json: Buffer, where: string): Promise<void> {
  const meter = new JsonMeter();
  for (let at = 0; at < json.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    meter.add(json.subarray(at, at + sliceBytes));
    if (meter.values > maxRecordValues) throw tooMuch(where, `${maxRecordValues} values`);
    if (meter.deepest > maxRecordLevels) throw tooMuch(where, `${maxRecordLevels} levels`);
  }
}

function tooMuch(where: string, limit: string): Error {
  return releaseError(
    "InvalidRelease",
    `${where}: the record of the release cannot be read: it holds more than ${limit}`,
  );
}

function unreadableRecord(where: string): Error {
  return releaseError("InvalidRelease", `${where}: the record of the release cannot be read: it is no zipped JSON`);
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
