/** Bounds of a state. */
export interface StateLimits {
  /** Of the archive, not compressed. */
  readonly bytes: number;
  /** Files and folders. */
  readonly entries: number;
}

/** More files and folders than a program should keep in Secrets. */
export const maxStateEntries = 50_000;
/** Folders inside each other. */
export const maxStateDepth = 100;
/** Linux takes paths of 4096 bytes; the state is unpacked into a folder that is part of them. */
export const maxStatePathBytes = 3_500;
