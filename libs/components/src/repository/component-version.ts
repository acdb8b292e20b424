import type { ComponentDescriptor } from "@landscaper/ocm";
import type { CallOptions } from "./artifact-store.ts";

/** A blob of a registry: its digest names its bytes for ever. */
export interface RegistryBlob {
  readonly digest: string;
  /** Equal for equal rights only, such as registry, repository and credential. It may be secret. */
  readonly owner: unknown;
}

/** What a local access names (docs/reference/components.md#access). */
export interface LocalContent {
  readonly mediaType: string;
  /** Where it is a blob of a registry. */
  readonly blob?: RegistryBlob | undefined;
  /** The bytes as they are stored; they may be used only after the end. */
  stream(options: CallOptions): AsyncIterable<Uint8Array>;
}

/** The text of a descriptor, in YAML or JSON. */
export interface DescriptorText {
  readonly bytes: Uint8Array;
  /** sha256 of the bytes as they are stored: what pins name. */
  readonly digest: string;
}

/** A component version that was found and has not been read. */
export interface StoredComponent {
  /** For messages: component and place, without credentials. */
  readonly where: string;
  /** The place alone. Default: `where`. */
  readonly place?: string | undefined;
  /** Of the manifest that the version of the component has led to; undefined where there is none. */
  readonly manifest?: string | undefined;
  /** Verified, and at most as large as descriptors may be. Whether it is of the component that was asked for is the business of who parses it. */
  readText(options: CallOptions): Promise<DescriptorText>;
  /** Content that lies beside the descriptor. Throws MissingContentError if there is none of that reference. */
  findLocal(reference: string): Promise<LocalContent>;
}

/** A component version of a repository. */
export interface ComponentVersion extends Pick<StoredComponent, "findLocal"> {
  readonly descriptor: ComponentDescriptor;
  readonly digest: string;
}

/** Where component versions lie. */
export interface ComponentRepository {
  /** For messages, without credentials. */
  readonly text: string;
  /** Undefined when it is not there. Throws LandscaperError for what is no component. */
  open(component: ComponentName, options: CallOptions): Promise<StoredComponent | undefined>;
  /** The same, read and parsed. Throws LandscaperError for another component. */
  find(component: ComponentName, options: CallOptions): Promise<ComponentVersion | undefined>;
  /** Versions of a component, in the repository's order. */
  listVersions(name: string, options: CallOptions): Promise<readonly string[]>;
}

export interface ComponentName {
  readonly name: string;
  readonly version: string;
}
