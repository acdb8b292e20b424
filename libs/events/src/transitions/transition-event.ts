import { boundText } from "@landscaper/api";
import type { ObjectVersion } from "./object-version.ts";

/** Content of an event: identity and state of an object. Spec, values and configuration are never part of it. */
export interface TransitionData {
  /** "Installation", "Execution" or "DeployItem". */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Version of the object that has this state. */
  readonly resourceVersion: string;
  /** Empty if the object has a job but no phase yet. */
  readonly phase: string;
  /** Phase of the object's previous event. Absent in the first event of an object. */
  readonly previousPhase?: string | undefined;
  readonly jobID?: string | undefined;
  readonly jobIDFinished?: string | undefined;
  /** Error of a failed phase. */
  readonly error?: { readonly reason: string; readonly message: string } | undefined;
  /** `resourceVersion` of the object's previous event. Absent in the first event of an object. */
  readonly previous?: string | undefined;
  /** True if the publisher may have missed versions of the object since its previous event. */
  readonly gap?: true | undefined;
}

/** CloudEvents 1.0, JSON format (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md). */
export interface TransitionEvent {
  readonly specversion: "1.0";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  /** Time when the publisher observed the version, RFC 3339. */
  readonly time: string;
  readonly datacontenttype: "application/json";
  readonly data: TransitionData;
}

const maxMessageLength = 1_024;

export interface EventOrigin {
  /** Id of the landscaper cluster. */
  readonly hubId: string;
  /** RFC 3339. */
  readonly time: string;
}

/** Returns the event in its form on NATS. It is the same, byte for byte, each time the transition is published. */
export function toTransitionEvent(data: TransitionData, { hubId, time }: EventOrigin): TransitionEvent {
  return {
    specversion: "1.0",
    id: transitionId(data),
    source: `/landscaper/${hubId}`,
    type: `cloud.gardener.landscaper.${data.kind.toLowerCase()}.phase`,
    subject: `${data.namespace}/${data.name}`,
    time,
    datacontenttype: "application/json",
    data,
  };
}

/** Returns the id of a transition, which is also its `Nats-Msg-Id`: JetStream drops a repeated publish within its duplicate window. */
export function transitionId({ uid, resourceVersion }: Pick<TransitionData, "uid" | "resourceVersion">): string {
  return `${uid}.${resourceVersion}`;
}

/** Estimates the memory (bytes) of a transition that waits: two bytes for each character of its error, and what the rest has at most. */
export function sizeOfData({ error }: TransitionData): number {
  return 2_048 + 2 * ((error?.reason.length ?? 0) + (error?.message.length ?? 0));
}

/** Returns the error of a version with a bounded message. */
export function toEventError(error: ObjectVersion["error"]): TransitionData["error"] {
  if (error === undefined) return undefined;
  return { reason: cut(error.reason), message: cut(error.message) };
}

function cut(text: string): string {
  if (text.length <= maxMessageLength) return text;
  // A copy: a part of a text would keep the whole text in memory.
  return Buffer.from(boundText(text, maxMessageLength)).toString();
}
