import type { KubeEvent } from "@landscaper/api";
import type { AggregatedEvent } from "./event-aggregation.ts";
import { toMicroTime } from "../leadership/lease-decision.ts";

/** The API's limit for notes, in bytes. */
const maxNoteBytes = 1024;

export interface EventSource {
  /** E.g. "landscaper.gardener.cloud/installation-controller". */
  readonly component: string;
  /** Which process, e.g. the pod's name. */
  readonly instance: string;
}

/** The event object of an entry that has been given its name. Events about cluster-scoped objects live in "default". */
export function toEventObject(entry: AggregatedEvent, name: string, source: EventSource): KubeEvent {
  const { about, event } = entry;
  const { namespace = "default", ...reference } = about.metadata;
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name, namespace },
    eventTime: toMicroTime(entry.firstMs),
    reportingController: source.component,
    reportingInstance: source.instance.slice(-128),
    action: "Reconcile",
    reason: event.reason,
    type: event.type,
    note: boundBytes(event.message, maxNoteBytes),
    regarding: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      ...reference,
      ...(about.metadata.namespace === undefined ? {} : { namespace }),
    },
  };
}

/** The merge patch that tells of repetitions. */
export function toSeriesPatch(entry: AggregatedEvent): Pick<KubeEvent, "series"> {
  return { series: { count: entry.count, lastObservedTime: toMicroTime(entry.lastMs) } };
}

const cutMark = " [...]";

/** Keeps the head, which says what has failed and where; the status has the whole text. The cut is marked. */
export function boundBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes - cutMark.length;
  // Not inside of a character: continuation bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end) + cutMark;
}

/** "<object>.<16 hex digits>", within the limit for names. */
export function eventName(objectName: string, randomHex: string): string {
  return `${objectName.slice(0, 253 - randomHex.length - 1)}.${randomHex}`;
}
