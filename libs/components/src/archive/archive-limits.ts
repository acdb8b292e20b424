/** Bounds for what an archive unpacks to. */
export interface ArchiveLimits {
  readonly entries: number;
  /** Of one file. */
  readonly fileBytes: number;
  /** Of all files. */
  readonly totalBytes: number;
}

/** Of an archive that holds components with all their content. */
export const transportLimits: ArchiveLimits = {
  entries: 100_000,
  fileBytes: 1024 ** 3,
  totalBytes: 8 * 1024 ** 3,
};

/** Of a tree of files that is held in memory, such as a blueprint. */
export const treeLimits: ArchiveLimits = { entries: 10_000, fileBytes: 5 * 1024 ** 2, totalBytes: 32 * 1024 ** 2 };

/** Of a packed chart. */
export const maxChartBytes = 20 * 1024 ** 2;
