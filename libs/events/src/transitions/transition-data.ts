import type { TransitionData } from "@landscaper/api";

/** Publishers bound all texts. A server refuses subjects that contain longer ones. */
const maxTextLength = 1_024;

/** Whether the value has the fields of `data` of an event, each with its type. Other clients may write to the stream and to the bucket. */
export function isTransitionData(value: unknown): value is TransitionData {
  if (typeof value !== "object" || value === null) return false;
  const { kind, namespace, name, uid, resourceVersion, phase, ...rest }: Fields<TransitionData> = value;
  const { previousPhase, jobID, jobIDFinished, previous, error } = rest;
  if (![kind, namespace, name, uid, phase].every(isText) || !isVersion(resourceVersion)) return false;
  if (![previousPhase, jobID, jobIDFinished, previous].every(isOptionalText)) return false;
  if (error === undefined) return true;
  if (typeof error !== "object" || error === null) return false;
  const { reason, message }: Fields<NonNullable<TransitionData["error"]>> = error;
  return isText(reason) && isText(message);
}

type Fields<T> = { readonly [field in keyof T]?: unknown };

export function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxTextLength;
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value);
}

/** Resource versions are sent in a header of NATS and in requests to the API server. */
export function isVersion(value: unknown): value is string {
  return typeof value === "string" && /^[\w.-]{1,64}$/.test(value);
}
