// What the process of hostile servers offers. Read by both sides.

/** How many servers of each kind there are: a tenant's Targets name many. */
export const serverCounts = {
  /** Accepts a connection and says nothing, not even the TLS handshake. */
  "black hole": 20,
  /** Takes the request and never answers. */
  silent: 10,
  /** Answers byte by byte, without an end. */
  dripping: 10,
  /** Nobody listens there. */
  refused: 10,
  /** Each answer is 1.5 GB. */
  flooding: 4,
  /** Each answer is 1.5 GB, sent as 1.5 MB of gzip. */
  bomb: 4,
  /** A chart repository whose index is 1.5 GB. */
  "endless index": 2,
  /** A chart repository whose index is 1.5 GB, sent as gzip. */
  "bomb index": 2,
  /** A chart repository whose index is large, but one that a limit may let pass: 16 MiB. */
  "large index": 2,
} as const;

export type ServedKind = keyof typeof serverCounts;

export interface ServedPlace {
  readonly kind: ServedKind;
  readonly url: string;
  readonly kubeconfig: string;
}
