import type { ComponentDescriptor } from "@landscaper/ocm";
import type { CallOptions } from "./artifact-store.ts";

/** What a local access names (ocm.md §6). */
export interface LocalContent {
  readonly mediaType: string;
  /** The bytes as they are stored; they may be used only after the end. */
  stream(options: CallOptions): AsyncIterable<Uint8Array>;
}

/** A component version of a repository. */
export interface ComponentVersion {
  readonly descriptor: ComponentDescriptor;
  /** sha256 of the descriptor's bytes as they are stored: what pins name. */
  readonly digest: string;
  /** Content that lies beside the descriptor. Throws LandscaperError when there is none of that reference. */
  findLocal(reference: string): Promise<LocalContent>;
}

/** Where component versions lie. */
export interface ComponentRepository {
  /** For messages, without credentials. */
  readonly text: string;
  /** Undefined when it is not there. Throws LandscaperError for what is no component, or another one. */
  find(component: ComponentName, options: CallOptions): Promise<ComponentVersion | undefined>;
  /** Versions of a component, in the repository's order. */
  listVersions(name: string, options: CallOptions): Promise<readonly string[]>;
}

export interface ComponentName {
  readonly name: string;
  readonly version: string;
}
