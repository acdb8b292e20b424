import type { Blueprint, Warning } from "@landscaper/api";

/** One entry of a folder of the blueprint. */
export interface BlueprintEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Bytes; 0 for folders. */
  readonly size: number;
}

/**
 * The read-only files of a blueprint. Paths are relative to the blueprint's root; a leading "/" means that root
 * (core.md §4.49); a path that leaves the root is an error. Errors are LandscaperErrors that name the path.
 */
export interface BlueprintFiles {
  has(path: string): boolean;
  readFile(path: string): Uint8Array;
  readText(path: string): string;
  /** Entries sorted by name. */
  readDir(path: string): readonly BlueprintEntry[];
}

/** A blueprint that has been read: its definition and its files. Immutable; keep it as long as a job runs. */
export interface BlueprintSource {
  readonly definition: Blueprint;
  /** Unknown fields and repeated keys of blueprint.yaml, and other content that is probably a mistake. */
  readonly warnings: readonly Warning[];
  readonly files: BlueprintFiles;
}
