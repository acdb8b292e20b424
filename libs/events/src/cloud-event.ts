import { createHash } from "node:crypto";
import { boundText } from "@landscaper/api";

/** `phase` of the last event of an object: who held it has let it go. */
export const deletedPhase = "Deleted";

/** What an event tells of an object: where it stands, never what is in it (no spec, no values, no configuration). */
export interface EventData {
  /** E.g. "Installation". */
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly phase: string;
  readonly jobID?: string | undefined;
  /** Of a failed phase; the message has to be redacted by who reports it. */
  readonly error?: { readonly reason: string; readonly message: string } | undefined;
}

export interface LandscaperEvent {
  /** CloudEvents type; made from the kind when absent. */
  readonly type?: string | undefined;
  /** CloudEvents subject; "namespace/name" when absent. */
  readonly subject?: string | undefined;
  readonly data: EventData;
}

/** CloudEvents 1.0, JSON format (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md). */
export interface CloudEvent {
  readonly specversion: "1.0";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  /** RFC 3339. */
  readonly time: string;
  readonly datacontenttype: "application/json";
  readonly data: EventData;
}

export const cloudEventContentType = "application/cloudevents+json; charset=utf-8";
const maxMessageLength = 1_024;

export interface EventOrigin {
  /** URI reference of the sender, e.g. "/landscaper-core/instance-1". */
  readonly source: string;
  readonly nowMs: number;
}

/** The event as it goes over the wire. Copies the known fields only: what a caller adds by mistake stays here. */
export function toCloudEvent(event: LandscaperEvent, origin: EventOrigin): CloudEvent {
  const data = pickData(event.data);
  return {
    specversion: "1.0",
    id: eventId(data),
    source: origin.source,
    type: event.type ?? `cloud.gardener.landscaper.${data.kind.toLowerCase()}.phase`,
    subject: event.subject ?? (data.namespace === undefined ? data.name : `${data.namespace}/${data.name}`),
    time: new Date(origin.nowMs).toISOString(),
    datacontenttype: "application/json",
    data,
  };
}

/**
 * The same transition of the same job has the same id, whoever reports it and however often: after a crash, or a status write
 * whose answer was lost, JetStream drops the second one.
 */
export function eventId({ uid, jobID, phase, error }: EventData): string {
  const parts = [uid, jobID ?? "", phase];
  if (error === undefined) return parts.join(".");
  const digest = createHash("sha256")
    .update(JSON.stringify([error.reason, error.message]))
    .digest("hex");
  return [...parts, digest.slice(0, 16)].join(".");
}

function pickData({ kind, namespace, name, uid, phase, jobID, error }: EventData): EventData {
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    uid,
    phase,
    ...(jobID === undefined ? {} : { jobID }),
    ...(error === undefined
      ? {}
      : { error: { reason: error.reason, message: boundText(error.message, maxMessageLength) } }),
  };
}
