import {
  annotations,
  errorCodeCatalogue,
  errorCodes,
  explainReason,
  isFailedPhase,
  labels,
  type DeployItem,
  type ErrorStatus,
  type Execution,
  type Installation,
} from "@landscaper/api";
import type { Siblings } from "@landscaper/blueprint";
import { formatAge } from "../tree/format-tree.ts";
import type { ObjectIndex } from "../tree/object-index.ts";
import type { ExplainedState, Explanation } from "./explanation.ts";

/** What explanations are made from; all of it was read before. */
export interface ExplainContext {
  readonly index: ObjectIndex;
  readonly siblings: Siblings;
  readonly installations: readonly Installation[];
  readonly executions: readonly Execution[];
  readonly deployItems: readonly DeployItem[];
  /** Names of the Targets of the namespace. */
  readonly targets: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Uids on the way to the object that is being explained: rings end there. */
  readonly path: ReadonlySet<string>;
}

export type Subject = Installation | Execution | DeployItem;

/** The name that people know an object by: that of its template, with the object's own behind it. */
export function titleOf({ kind, metadata }: Subject): string {
  const item = metadata.labels?.[labels.managedName] ?? metadata.annotations?.[annotations.subinstallationName];
  return item === undefined ? `${kind} ${metadata.name}` : `${kind} ${item} (${metadata.name})`;
}

interface Details {
  readonly state: ExplainedState;
  readonly message: string;
  readonly hints?: readonly string[];
  readonly because?: readonly Explanation[];
}

export function explanationOf(subject: Subject, { state, message, hints = [], because = [] }: Details): Explanation {
  return { object: titleOf(subject), phase: subject.status?.phase ?? "", state, message, hints, because };
}

/** " for 5m"; nothing when the time is not known. */
export function forHowLong(since: string | undefined, now: number): string {
  return since === undefined ? "" : ` for ${formatAge(now - Date.parse(since))}`;
}

/** " 5m ago"; nothing when the time is not known. */
export function howLongAgo(time: string | undefined, now: number): string {
  return time === undefined ? "" : ` ${formatAge(now - Date.parse(time))} ago`;
}

export function isDeleting({ metadata }: Subject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** What the error catalogue advises: of the reason, else of the codes. */
export function hintsOf(error: ErrorStatus | undefined): readonly string[] {
  const entry = explainReason(error?.reason ?? "");
  if (entry !== undefined) return needsNoAction(entry.fix) ? [] : [entry.fix];
  return errorCodes.filter((code) => error?.codes?.includes(code) === true).map((code) => errorCodeCatalogue[code]);
}

/** Where users have nothing to do, the fix is this sentence alone, or begins with "None". */
function needsNoAction(fix: string): boolean {
  return fix.startsWith("None") || fix === "No action needed; Landscaper retries.";
}

const interruptReason = "InterruptOperation";

/** The end of a job that failed by itself, not because of something below. */
export function explainOwnFailure(subject: Subject, because: readonly Explanation[] = []): Explanation {
  const { lastError } = subject.status ?? {};
  const isInterrupted = lastError?.reason === interruptReason;
  return explanationOf(subject, {
    state: isInterrupted ? "interrupted" : "failed",
    message: lastError?.message ?? "failed without a message",
    hints: hintsOf(lastError),
    because,
  });
}

/** The end of a job that failed because something below did. */
export function explainFailureBelow(subject: Subject, cause: Explanation, failedCount: number): Explanation {
  const others = failedCount > 1 ? `, the first of ${failedCount} sub-objects that failed` : "";
  return explanationOf(subject, {
    state: cause.state === "interrupted" ? "interrupted" : "failed",
    message: `failed because of ${cause.object}${others}`,
    because: [cause],
  });
}

/** An open job with an error that is tried again. */
export function explainRetry(subject: Subject): Explanation | undefined {
  const { lastError } = subject.status ?? {};
  if (lastError === undefined) return undefined;
  const message = `is tried again: ${lastError.message}`;
  return explanationOf(subject, { state: "retrying", message, hints: hintsOf(lastError) });
}

/** Those of a job that failed in it. */
export function failedIn<T extends Subject>(objects: readonly T[], jobID: string | undefined): readonly T[] {
  return objects.filter(({ status }) => status?.jobIDFinished === jobID && isFailedPhase(status?.phase));
}

export function listNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
