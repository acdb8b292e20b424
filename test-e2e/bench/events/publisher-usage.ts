/** What the process of the publisher has used so far. */
export interface PublisherUsage {
  readonly cpuSeconds: number;
  /** Memory beyond that of the process without objects, after a garbage collection. */
  readonly heapMiB: number;
  /** Largest resident memory of the process. */
  readonly peakMiB: number;
  readonly published: number;
  readonly waiting: number;
  /** Requests to the API server; a watch counts when it ends. */
  readonly requests: number;
}
