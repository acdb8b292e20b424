import { annotations, finalizer, LandscaperError, operations, type TargetSync } from "@landscaper/api";
import { annotationOf, hasFinalizer, isDeleting, nameOf } from "../object-reading.ts";
import type { Attempt } from "./attempt.ts";
import { parseNameFilter, type NameFilter } from "./name-filter.ts";
import { invalidTargetSync } from "./target-sync-error.ts";

export interface ObservedTargetSync {
  readonly targetSync: TargetSync;
  /** The others of its namespace, those that are being deleted included: they have not cleaned up yet. */
  readonly siblings: readonly TargetSync[];
  readonly attempt: Attempt | undefined;
  /** Of the present state. */
  readonly fingerprint: string;
  readonly elapsedMs: number;
}

export type TargetSyncDecision =
  | { readonly kind: "rest" }
  | { readonly kind: "add-finalizer" }
  | { readonly kind: "wait"; readonly ms: number }
  /** Nothing may be synced. */
  | { readonly kind: "refuse"; readonly error: LandscaperError }
  | { readonly kind: "sync"; readonly filter: NameFilter }
  /** Everything that was made goes, then the finalizer. */
  | { readonly kind: "remove" }
  /** The finalizer goes; what was made stays. */
  | { readonly kind: "release" };

/** What a TargetSync does next (core.md §3.9). */
export function decideTargetSync(observed: ObservedTargetSync): TargetSyncDecision {
  const { targetSync, siblings } = observed;
  if (isDeleting(targetSync)) {
    if (!hasFinalizer(targetSync, finalizer)) return { kind: "rest" };
    // The one that stays takes over what is there, without a gap: its next sync drops what it does not want.
    return { kind: siblings.some((sibling) => !isDeleting(sibling)) ? "release" : "remove" };
  }
  if (!hasFinalizer(targetSync, finalizer)) return { kind: "add-finalizer" };
  const waitMs = remainingMs(observed);
  if (waitMs > 0) return { kind: "wait", ms: waitMs };
  if (siblings.length > 0) return { kind: "refuse", error: tooMany(observed) };
  try {
    return { kind: "sync", filter: parseNameFilter(targetSync.spec) };
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    return { kind: "refuse", error };
  }
}

/** Time until the next try; 0 when something has changed since the last one, or somebody asks for it. */
function remainingMs({ targetSync, attempt, fingerprint, elapsedMs }: ObservedTargetSync): number {
  if (annotationOf(targetSync, annotations.operation) === operations.reconcile) return 0;
  if (attempt === undefined || attempt.fingerprint !== fingerprint) return 0;
  return Math.max(0, attempt.nextTryMs - elapsedMs);
}

function tooMany({ targetSync, siblings }: ObservedTargetSync): LandscaperError {
  const names = [targetSync, ...siblings].map(nameOf).toSorted();
  return invalidTargetSync(
    `expected one TargetSync in the namespace, found ${names.length} (${names.join(", ")}): nothing is synced`,
  );
}
