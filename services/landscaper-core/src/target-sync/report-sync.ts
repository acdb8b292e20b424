import { annotations, boundText, LandscaperError, operations, toTimestamp, type TargetSync } from "@landscaper/api";
import { ConnectionError, isConflict } from "@landscaper/controller-runtime";
import { toSafeError } from "../api-failure.ts";
import { annotationOf } from "../object-reading.ts";
import type { SyncOutcome } from "./sync-targets.ts";

/** More would not be read, and the status of an object has its limits. */
const maxErrors = 20;
const maxErrorLength = 1_000;

/** The text of an error for status and events; undefined for races, which the next try decides. Throws faults of ours. */
function describeFailure(error: unknown): string | undefined {
  if (isConflict(error)) return undefined;
  const safe = toSafeError(error);
  if (safe instanceof LandscaperError || safe instanceof ConnectionError)
    return boundText(safe.message, maxErrorLength);
  throw error;
}

/** Messages of a try, each once, in a stable order. */
export function describeErrors(errors: readonly unknown[]): readonly string[] {
  const texts = [...new Set(errors.map(describeFailure).filter((text) => text !== undefined))].toSorted();
  const rest = texts.length - maxErrors;
  return rest > 0 ? [...texts.slice(0, maxErrors), `... and ${rest} more`] : texts;
}

/** Merge patch of the status after a try. */
export function reportSync(targetSync: TargetSync, outcome: SyncOutcome, now: Date): Record<string, unknown> {
  const lastErrors = describeErrors(outcome.errors);
  const { rotation } = outcome;
  return {
    observedGeneration: targetSync.metadata.generation ?? 0,
    lastUpdateTime: toTimestamp(now),
    lastErrors: lastErrors.length === 0 ? null : lastErrors,
    ...(rotation === undefined ? {} : { lastTokenRotationTime: toTimestamp(rotation.at) }),
  };
}

/** The object as it is after a try. */
export function withoutDoneAnnotations(targetSync: TargetSync, outcome: SyncOutcome): TargetSync {
  const done = listDoneAnnotations(targetSync, outcome);
  const kept = Object.entries(targetSync.metadata.annotations ?? {}).filter(([name]) => !done.includes(name));
  return { ...targetSync, metadata: { ...targetSync.metadata, annotations: Object.fromEntries(kept) } };
}

/** Annotations that a try has taken care of. */
export function listDoneAnnotations(targetSync: TargetSync, { rotation }: SyncOutcome): readonly string[] {
  const { operation, rotateToken } = annotations;
  const done: string[] = [];
  if (annotationOf(targetSync, operation) === operations.reconcile) done.push(operation);
  if (rotation !== undefined && annotationOf(targetSync, rotateToken) !== undefined) done.push(rotateToken);
  return done;
}
