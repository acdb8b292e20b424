import type { EventData } from "./cloud-event.ts";

/** First token of all subjects. */
export const subjectPrefix = "landscaper";

/**
 * The NATS subject of an event: "landscaper.<kind>.<namespace>.<name>.<phase>", always five tokens, so that wildcards select by
 * each: "landscaper.installation.*.*.Failed", "landscaper.*.team-a.>". The kind is in lower case.
 */
export function eventSubject({ kind, namespace, name, phase }: EventData): string {
  return [subjectPrefix, toToken(kind.toLowerCase()), toToken(namespace), toToken(name), toToken(phase)].join(".");
}

/**
 * A subject token: letters, digits and dashes stay; a dot, which separates tokens in NATS and may be part of a name, becomes "_"
 * (no Kubernetes name holds one, so that names stay apart), and so does everything else. What is empty is "_" too.
 */
function toToken(text: string | undefined): string {
  return text === undefined || text === "" ? "_" : text.replace(/[^A-Za-z0-9-]/g, "_");
}
