import { subjectPrefix } from "../event-subject.ts";
import { eventKinds } from "./object-version.ts";
import { covers } from "./subject-cover.ts";

/** Settings of an existing stream. The server leaves out those without a value. */
export interface StreamSettings {
  readonly subjects?: readonly string[] | undefined;
  readonly mirror?: { readonly name: string } | undefined;
  readonly subject_transform?: { readonly src?: string | undefined; readonly dest: string } | undefined;
  readonly retention?: string | undefined;
  readonly discard?: string | undefined;
  /** In nanoseconds; 0: none. */
  readonly max_age?: number | undefined;
  /** -1: none, like all limits below. */
  readonly max_bytes?: number | undefined;
  readonly max_msgs?: number | undefined;
  readonly max_msg_size?: number | undefined;
  readonly sealed?: boolean | undefined;
  readonly no_ack?: boolean | undefined;
  readonly deny_purge?: boolean | undefined;
}

/** Why an existing stream cannot be used. */
export interface SettingsFault {
  /** Predicate of a sentence about the stream. */
  readonly finding: string;
  readonly remedy: string;
}

/** Subjects of all events. */
const eventSubjects = eventKinds.map((kind) => `${subjectPrefix}.${kind.toLowerCase()}.*.*.*`);
/** Limit (bytes) that every value of the bucket keeps: its texts are bounded, and JSON escapes a character with at most six bytes. */
const maxValueBytes = 16_384;

/** Returns why the stream cannot take events. Limits are not faults: the administrator decides how many events the stream keeps. */
export function findStreamFault(settings: StreamSettings): SettingsFault | undefined {
  return findWriteFault(settings, eventSubjects, `Add ${subjectPrefix}.> to its subjects`);
}

/** Returns why the bucket cannot keep states and positions. Events would be incomplete, without a trace, if the bucket lost some of them. */
export function findBucketFault(settings: StreamSettings, bucket: string): SettingsFault | undefined {
  const { max_age = 0, max_bytes = -1, max_msgs = -1, max_msg_size = -1, retention = "limits" } = settings;
  const again = "Delete the bucket: the publisher creates it again";
  const fault = findWriteFault(settings, [`$KV.${bucket}.>`], again);
  if (fault !== undefined) return fault;
  if (max_age > 0) return { finding: `has a TTL of ${max_age / 1e9} s`, remedy: "Remove the TTL (max_age)" };
  if (retention !== "limits") return { finding: `has the retention policy ${retention}`, remedy: again };
  if (settings.discard === "old" && (max_bytes > 0 || max_msgs > 0)) {
    const remedy = "Remove the limits max_bytes and max_msgs, or set discard to new";
    return { finding: "has a size limit, and discards old values", remedy };
  }
  if (max_msg_size > 0 && max_msg_size < maxValueBytes) {
    const remedy = `Raise the limit max_msg_size to ${maxValueBytes}, or remove it`;
    return { finding: `takes no values of more than ${max_msg_size} bytes`, remedy };
  }
  if (settings.deny_purge === true) return { finding: "does not let keys of deleted objects be purged", remedy: again };
  return undefined;
}

function findWriteFault(
  { subjects = [], mirror, subject_transform, sealed = false, no_ack = false }: StreamSettings,
  wanted: readonly string[],
  remedy: string,
): SettingsFault | undefined {
  if (mirror !== undefined) return { finding: `is a mirror of ${mirror.name}`, remedy: "Delete it" };
  if (sealed) return { finding: "is sealed", remedy: "Delete it" };
  const missing = wanted.filter((subject) => !subjects.some((filter) => covers(filter, subject)));
  if (missing.length > 0) {
    const present = subjects.length === 0 ? "without subjects of its own" : `with the subjects ${subjects.join(", ")}`;
    return { finding: `exists ${present}, without ${missing.join(", ")}`, remedy };
  }
  if (no_ack) return { finding: "acknowledges nothing", remedy: "Set no_ack to false" };
  if (subject_transform === undefined) return undefined;
  const { src = "", dest } = subject_transform;
  const from = src === "" ? ">" : src;
  if (from === dest || !wanted.some((subject) => covers(from, subject) || covers(subject, from))) return undefined;
  return { finding: `stores subjects of ${from} as ${dest}`, remedy: "Remove subject_transform" };
}
