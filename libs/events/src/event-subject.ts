import type { TransitionData } from "@landscaper/api";

/** Stream of all events. */
export const streamName = "LANDSCAPER";
/** First token of all subjects. */
export const subjectPrefix = "landscaper";

/**
 * Returns the NATS subject of an event: "landscaper.<kind>.<namespace>.<name>.<phase>". It always has five tokens, so wildcards select by each:
 * "landscaper.installation.*.*.Failed", "landscaper.*.team-a.>". The kind is in lower case.
 */
export function eventSubject({
  kind,
  namespace,
  name,
  phase,
}: Pick<TransitionData, "kind" | "namespace" | "name" | "phase">): string {
  return [subjectPrefix, toToken(kind.toLowerCase()), toToken(namespace), toToken(name), toToken(phase)].join(".");
}

/** Which events to read. Absent parts select everything. */
export interface EventSelection {
  readonly namespace?: string | undefined;
  /** "Installation", "Execution", "DeployItem". Readers compare them again: a filter has one kind or all. */
  readonly kinds?: readonly string[] | undefined;
}

/** Returns the subject filter for the selection. */
export function eventFilter({ namespace, kinds = [] }: EventSelection): string {
  const [kind, ...others] = kinds;
  const kindToken = kind === undefined || others.length > 0 ? "*" : toToken(kind.toLowerCase());
  return [subjectPrefix, kindToken, namespace === undefined ? "*" : toToken(namespace), "*", "*"].join(".");
}

/**
 * Returns a subject token. Letters, digits and dashes stay. All other characters become "_": a dot, which names may have, separates tokens in NATS.
 * No Kubernetes name has a "_", so names stay apart. An empty text becomes "_".
 */
function toToken(text: string): string {
  return text === "" ? "_" : text.replace(/[^A-Za-z0-9-]/g, "_");
}
