import type { TransitionData, TransitionEvent } from "@landscaper/api";

/** `phase` of the last event of an object. */
export const deletedPhase = "Deleted";
export const cloudEventContentType = "application/cloudevents+json; charset=utf-8";

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
    source: sourceOf(hubId),
    type: `cloud.gardener.landscaper.${data.kind.toLowerCase()}.phase`,
    subject: `${data.namespace}/${data.name}`,
    time,
    datacontenttype: "application/json",
    data,
  };
}

/** Returns `source` of the events of a landscaper cluster. */
export function sourceOf(hubId: string): string {
  return `/landscaper/${hubId}`;
}

/** Returns the id of a transition, which is also its `Nats-Msg-Id`: JetStream drops a repeated publish within its duplicate window. */
export function transitionId({ uid, resourceVersion }: Pick<TransitionData, "uid" | "resourceVersion">): string {
  return `${uid}.${resourceVersion}`;
}

/** Estimates the memory (bytes) of a transition that waits: two bytes for each character of its error, and what the rest has at most. */
export function sizeOfData({ error }: TransitionData): number {
  return 2_048 + 2 * ((error?.reason.length ?? 0) + (error?.message.length ?? 0));
}
