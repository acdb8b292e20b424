import type { KubeObject } from "@landscaper/api";
import { releaseError } from "../release-error.ts";
import { annotatedVersion } from "./helm-version-of.ts";
import { customLabels } from "./release-labels.ts";
import {
  decodeRelease,
  releaseStatuses,
  type DecodedRelease,
  type ReleaseRecord,
  type ReleaseStatus,
} from "./release-record.ts";

/** A record as the API server keeps it. */
export interface StoredRelease extends KubeObject {
  readonly type?: string;
  /** `release`: base64 of the record in a Secret, the record itself in a ConfigMap. */
  readonly data?: Readonly<Record<string, string>>;
}

export const secretType = "helm.sh/release.v1";
const typePrefix = "helm.sh/release.";
const recordName = /^sh\.helm\.release\.(v\d+)\.(.+)\.v(\d+)$/;

export function storedName(release: string, version: number): string {
  return `sh.helm.release.v1.${release}.v${version}`;
}

/** Labels by which all records of a release are found. */
export function recordSelector(release: string): string {
  return `owner=helm,name=${release}`;
}

/**
 * The record in an object. Its revision is that of the object's name, which is what everybody writes to, and its status that of the record
 * (as for Helm; a label that says something else is wrong). One that cannot be read is `unreadable`, with the status of its label.
 * Undefined: no record of this release. Throws LandscaperError for a form of records that we do not know.
 */
export async function readStored(
  object: StoredRelease,
  release: string,
  maxBytes?: number,
): Promise<DecodedRelease | undefined> {
  const { name = "", namespace = "" } = object.metadata;
  const where = `${object.kind} ${namespace}/${name}`;
  const [, form, of, version] = recordName.exec(name) ?? [];
  if (form === undefined || of !== release) return undefined;
  const foundForm = object.type?.startsWith(typePrefix) === true ? object.type : `${typePrefix}${form}`;
  if (foundForm !== secretType || form !== "v1") {
    const found = form === "v1" ? foundForm : `${typePrefix}${form}`;
    throw releaseError(
      "InvalidRelease",
      `${where}: the release is kept in a form that only a newer Helm knows: expected ${secretType}, found ${found}`,
      { hint: "go on with that Helm, or uninstall the release with it" },
    );
  }
  const found = await decodeStored(object, { where, release, maxBytes });
  const revision = Number(version);
  return typeof found === "string"
    ? { record: unreadable(object, { namespace, release, revision, problem: found }), bytes: 0 }
    : { ...found, record: { ...found.record, ...objectFields(object), version: revision } };
}

/** Returns the fields of a record that its object stores in labels and annotations. */
function objectFields(object: StoredRelease): Pick<ReleaseRecord, "labels" | "helmVersion"> {
  const helmVersion = annotatedVersion(object);
  const labels = customLabels(object.metadata.labels);
  return helmVersion === undefined ? { labels } : { labels, helmVersion };
}

/** What is wrong with it, as text. */
async function decodeStored(
  object: StoredRelease,
  { where, release, maxBytes }: { where: string; release: string; maxBytes: number | undefined },
): Promise<DecodedRelease | string> {
  const text = object.data?.["release"] ?? "";
  try {
    const plain = object.kind === "Secret" ? Buffer.from(text, "base64").toString("utf8") : text;
    const decoded = await decodeRelease(plain, where, maxBytes);
    const { name } = decoded.record;
    return name === release ? decoded : `${where}: the record is one of release "${name}"`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function unreadable(
  { metadata }: StoredRelease,
  { namespace, release, revision, problem }: { namespace: string; release: string; revision: number; problem: string },
): ReleaseRecord {
  const label = metadata.labels?.["status"] ?? "";
  return {
    name: release,
    namespace,
    version: revision,
    info: {
      first_deployed: "",
      last_deployed: "",
      deleted: "",
      description: problem,
      status: isStatus(label) ? label : "unknown",
    },
    chart: {},
    config: {},
    manifest: "",
    hooks: [],
    unreadable: problem,
  };
}

function isStatus(text: string): text is ReleaseStatus {
  return releaseStatuses.some((status) => status === text);
}

/** The revision that the name of an object says; 0 for any other name. */
export function revisionOf({ metadata: { name = "" } }: StoredRelease): number {
  return Number(recordName.exec(name)?.[3] ?? 0);
}

/** What keeps an object that has the name of a record from being one; undefined: it is one. */
export function findForeignMarks({ metadata: { labels } }: StoredRelease, release: string): string | undefined {
  const expected = { owner: "helm", name: release };
  const wrong = Object.entries(expected).filter(([key, value]) => labels?.[key] !== value);
  if (wrong.length === 0) return undefined;
  const say = (text: string | undefined): string => (text === undefined ? "none" : `"${text}"`);
  return wrong.map(([key, value]) => `label ${key}: expected "${value}", found ${say(labels?.[key])}`).join(", ");
}
