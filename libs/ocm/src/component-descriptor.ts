import type { Label, NestedDigest, Provider, Reference, Resource, Signature, Source } from "./descriptor-schemas.ts";

/** Schemas of component descriptors as documents name them (docs/reference/components.md#descriptors). */
export type SchemaVersion = "v2" | "ocm.software/v3alpha1";

/** Where components lie; its fields depend on its type (docs/reference/components.md#repositories). */
export type RepositoryContext = Readonly<Record<string, unknown>>;

/**
 * A component version, whatever schema describes it. Elements keep the fields that are not known here, and `document` is the
 * whole descriptor as it was read, so that nothing is lost for digests and signatures.
 */
export interface ComponentDescriptor {
  /** The schema of `document`. */
  readonly schemaVersion: SchemaVersion;
  readonly document: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly version: string;
  readonly provider: Provider | undefined;
  readonly labels: readonly Label[] | undefined;
  readonly creationTime: string | undefined;
  /** The last one is the effective one. */
  readonly repositoryContexts: readonly RepositoryContext[];
  readonly sources: readonly Source[];
  readonly references: readonly Reference[];
  readonly resources: readonly Resource[];
  readonly signatures: readonly Signature[] | undefined;
  readonly nestedDigests: readonly NestedDigest[] | undefined;
}

/** `name:version`, which is how messages name a component version. */
export function componentText({ name, version }: Pick<ComponentDescriptor, "name" | "version">): string {
  return `${name}:${version}`;
}

/** The schema that a user names, also in the short form of the OCM command line; undefined for anything else. */
export function schemaVersionNamed(text: string): SchemaVersion | undefined {
  if (text === "v2") return "v2";
  return text === "v3alpha1" || text === "ocm.software/v3alpha1" ? "ocm.software/v3alpha1" : undefined;
}
