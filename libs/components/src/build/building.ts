import type { ComponentConstructor, Resource, SchemaVersion } from "@landscaper/ocm";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentVersion } from "../repository/component-version.ts";
import type { ResolveArtifact } from "../verify/resource-digest.ts";
import type { LocalLayer } from "../write/store-component.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import type { OpenInputOptions } from "./input-tools.ts";

export interface BuildOptions extends CallOptions, Pick<OpenInputOptions, "folder" | "tools" | "warn"> {
  /** Of descriptors whose constructor names none. */
  readonly schemaVersion: SchemaVersion;
  /** Whether a version that is there already is replaced. */
  readonly overwrite: boolean;
  /** The digest of an artifact in a registry; undefined: digests of such resources are left to signing. */
  readonly resolveArtifact: ResolveArtifact | undefined;
}

/** Where component versions are built. */
export interface BuildPlace {
  readonly target: TargetRepository;
  readonly options: BuildOptions;
  /** The version that is replaced. */
  readonly present: ComponentVersion | undefined;
}

/** The component that is being built. */
export interface Building extends BuildPlace {
  readonly constructor: ComponentConstructor;
  readonly add: (layer: LocalLayer) => void;
}

/** An element of the component. */
export interface ElementPlace extends Pick<LocalLayer, "kind" | "index"> {
  /** Begins messages. */
  readonly place: string;
}

/** Content of an element at its place. */
export interface PlacedContent {
  readonly access: NonNullable<Resource["access"]>;
  readonly findDigest: () => Promise<Resource["digest"]>;
}
