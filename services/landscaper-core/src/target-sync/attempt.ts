import { annotations, type KubeObject, type TargetSync } from "@landscaper/api";
import { backoffDelayMs, type ShareClaim, type ShareLimits } from "@landscaper/controller-runtime";
import { annotationOf, nameOf, namespaceOf } from "../object-reading.ts";

/** What this process remembers of the last try; forgetting it only costs a try. */
export interface Attempt {
  /** Of what the try has left behind: while it stays the same, nothing needs to be done before `nextTryMs`. */
  readonly fingerprint: string;
  /** In a row. */
  readonly failures: number;
  /** Of a clock that nobody sets, in ms. */
  readonly nextTryMs: number;
}

/** The source cluster is not watched, but looked at in this interval (core.md §3.9). */
export const resyncMs = 5 * 60_000;

const retryBackoff = { baseMs: 1_000, maxMs: resyncMs };

export interface FingerprintParts {
  /** As it was when the try began: what is asked for later is not done yet. */
  readonly targetSync: TargetSync;
  readonly siblings: readonly TargetSync[];
  /** resourceVersion of the Secret with the kubeconfig. */
  readonly secretVersion: string | undefined;
  /** What was made from the source, Targets and Secrets. */
  readonly made: readonly KubeObject[];
}

/** Changes with everything that a TargetSync depends on in its own cluster. */
export function fingerprintOf({ targetSync, siblings, secretVersion, made }: FingerprintParts): string {
  const { generation, resourceVersion: _, ...identity } = targetSync.metadata;
  return JSON.stringify([
    identity.uid,
    generation,
    annotationOf(targetSync, annotations.rotateToken) ?? null,
    siblings.map(nameOf).toSorted(),
    secretVersion ?? null,
    made.map(({ kind, metadata }) => `${kind}/${metadata.name}@${metadata.resourceVersion}`).toSorted(),
  ]);
}

/** When to try again: after the interval, or after a growing pause when something failed (core.md §4.53 fixed). */
export function nextAttempt(
  previous: Attempt | undefined,
  { fingerprint, hasFailed }: { readonly fingerprint: string; readonly hasFailed: boolean },
  { elapsedMs, random }: { readonly elapsedMs: number; readonly random: () => number },
): Attempt {
  if (!hasFailed) return { fingerprint, failures: 0, nextTryMs: elapsedMs + resyncMs };
  const failures = (previous?.failures ?? 0) + 1;
  return { fingerprint, failures, nextTryMs: elapsedMs + backoffDelayMs(retryBackoff, failures, random) };
}

/**
 * Of TargetSyncs whose source clusters are asked at a time. There is one in each namespace, so the limit for a namespace keeps nobody's
 * dead sources from taking all places: those that have not answered last time share `perServer` of them.
 */
export const sourceShares: ShareLimits = { total: 30, perNamespace: 5, perServer: 20 };

/** The share that a try needs. */
export function shareOf(targetSync: TargetSync, previous: Attempt | undefined): ShareClaim {
  const namespace = namespaceOf(targetSync);
  return previous?.failures === 0 ? { namespace } : { namespace, server: "of sources that have not answered" };
}
