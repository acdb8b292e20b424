import type { KubeObject } from "@landscaper/api";
import type { EventKind } from "./object-version.ts";

/** Receives the lists and changes of a kind from the API server. */
export interface FeedObserver {
  /** Resource version to watch from. Undefined: the feed begins with a list. */
  readonly from: string | undefined;
  onList(items: readonly KubeObject[], resourceVersion: string): void;
  onVersion(object: KubeObject, isDeleted: boolean): void;
  onBookmark(resourceVersion: string): void;
  /** Awaited after each list and version: the feed is not read while it is pending. */
  ready(): Promise<void> | undefined;
}

/** Lists and watches a kind until the signal is aborted. */
export type FollowKind = (kind: EventKind, observer: FeedObserver, signal: AbortSignal) => Promise<void>;

/** State of a publisher, for metrics and `/readyz?verbose`. */
export interface TransitionStats {
  /** False while the publisher does not run, or waits for the id of the landscaper cluster. */
  readonly isStarted: boolean;
  /** Events that the stream has acknowledged. */
  readonly published: number;
  /** Events that the server has refused. */
  readonly refused: number;
  /** Events with `gap`. */
  readonly gaps: number;
  /** Transitions that wait for their acknowledgement. */
  readonly waiting: number;
  /** Age of the oldest of them. */
  readonly lagSeconds: number;
  /** Why events are not published at present. */
  readonly problem: string | undefined;
}
