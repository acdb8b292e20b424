export interface ApiRequestSample {
  /** As Kubernetes has it: get, list, watch, create, update, patch, delete. */
  readonly verb: string;
  /** Of HTTP. */
  readonly method: string;
  /** Host and port of our own API server; "targets" for all servers of others, whose names users choose. */
  readonly host: string;
  /** Plural, with "/status" etc. for subresources; "other" for raw paths. */
  readonly resource: string;
  /** HTTP status, or "none" when no answer came. */
  readonly code: string;
  readonly durationMs: number;
}

export interface ReconcileSample {
  readonly controller: string;
  readonly result: "success" | "requeue" | "conflict" | "error" | "dropped";
  readonly durationMs: number;
}

/** What a work queue shows of itself when metrics are collected. */
export interface QueueGauge {
  readonly name: string;
  /** Keys that wait for a worker. */
  depth(): number;
  /** Age in ms of the key that waits longest, 0 when none does. */
  oldestAgeMs(): number;
  /** Keys being worked on. */
  processing(): number;
  /** Time in ms that the keys being worked on have taken so far: of all together, and of the oldest. */
  unfinishedMs(): { readonly sum: number; readonly longest: number };
}

/** What the shares of a controller show of themselves when metrics are collected. */
export interface ShareGauge {
  readonly name: string;
  /** Keys that hold a share. */
  running(): number;
  /** Keys that wait for one. */
  waiting(): number;
}

/** Where the runtime reports its numbers. */
export interface RuntimeMetrics {
  observeApiRequest(sample: ApiRequestSample): void;
  observeReconcile(sample: ReconcileSample): void;
  /** Time a key waited in a queue. */
  observeQueueWait(queue: string, waitMs: number): void;
  /** Time a key was worked on. */
  observeWork(queue: string, durationMs: number): void;
  countAdd(queue: string): void;
  countRetry(queue: string): void;
  /** How many workers a controller has. */
  addWorkers(controller: string, workers: number): void;
  /** Whether this process holds a Lease. */
  observeLeader(lease: string, isLeader: boolean): void;
  /** Counts a wait for a Lease of more than three lease durations of this process; call it once for each holder. */
  countLongWait(lease: string): void;
  addQueue(queue: QueueGauge): void;
  /** A key has begun to wait for a share, kept by this limit. */
  observeShareWait(controller: string, limit: "namespace" | "server" | "total"): void;
  addShares(shares: ShareGauge): void;
  /** A foreign server has not answered several times in a row. */
  observeCircuitOpening(): void;
  /** Shows how many foreign servers are not asked now. */
  addCircuits(countOpen: () => number): void;
  /** Informer events by kind, and relists. */
  observeInformer(kind: string, event: "add" | "update" | "delete" | "relist" | "error"): void;
}

/** Reports nowhere. */
export const noMetrics: RuntimeMetrics = {
  observeApiRequest: () => {},
  observeReconcile: () => {},
  observeQueueWait: () => {},
  observeWork: () => {},
  countAdd: () => {},
  countRetry: () => {},
  addWorkers: () => {},
  observeLeader: () => {},
  countLongWait: () => {},
  addQueue: () => {},
  observeShareWait: () => {},
  addShares: () => {},
  observeCircuitOpening: () => {},
  addCircuits: () => {},
  observeInformer: () => {},
};
