import type { Resource } from "./descriptor-schemas.ts";
import { ocmError } from "./ocm-error.ts";

/** Where the content of a resource lies (docs/reference/components.md#access). */
export type Access =
  /** Beside the descriptor. `reference`: digest, or name of a file. */
  | { readonly kind: "local"; readonly reference: string; readonly mediaType: string | undefined }
  /** An artifact of a registry. */
  | { readonly kind: "artifact"; readonly reference: string }
  /** An artifact of the registry that the component is in. */
  | { readonly kind: "relative-artifact"; readonly reference: string }
  /** A blob of a registry. */
  | {
      readonly kind: "blob";
      readonly repository: string;
      readonly digest: string;
      readonly size: number;
      readonly mediaType: string | undefined;
    }
  /** A chart of a Helm repository. */
  | {
      readonly kind: "chart";
      readonly repository: string;
      readonly chart: string;
      readonly version: string | undefined;
      /** PEM. */
      readonly ca: string | undefined;
      /** Keys that the provenance of the chart is to be checked with. */
      readonly keyring: string | undefined;
    }
  | { readonly kind: "none" }
  /** Any other type: it is kept, and its content cannot be read. */
  | { readonly kind: "other"; readonly type: string };

type Fields = NonNullable<Resource["access"]>;

const kinds: Readonly<Record<string, (fields: Fields, where: string) => Access>> = {
  localblob: (fields, where) => localAccess(fields, "localReference", where),
  localfilesystemblob: (fields, where) => localAccess(fields, "fileName", where),
  localociblob: (fields, where) => localAccess(fields, "digest", where),
  ociartifact: artifactAccess,
  ociregistry: artifactAccess,
  ociimage: artifactAccess,
  ociblob: blobAccess,
  ociimagelayer: blobAccess,
  relativeocireference: (fields, where) => ({
    kind: "relative-artifact",
    reference: textOf(fields, "reference", where),
  }),
  helm: helmAccess,
  none: () => ({ kind: "none" }),
};

/** Reads an access; fields are matched without regard to case. Throws LandscaperError that names the field; `where` begins messages. */
export function parseAccess(access: Resource["access"], where: string): Access {
  if (access === undefined) throw ocmError(`${where}: access: expected where its content lies`);
  const read = kinds[nameOf(access)];
  return read === undefined ? { kind: "other", type: access.type } : read(access, where);
}

/** Whether the resource has no content by its access; digests do not cover it. */
export function hasNoContent(access: Resource["access"]): boolean {
  return access !== undefined && nameOf(access) === "none";
}

/** The type without its version, in lower case. */
function nameOf({ type }: Fields): string {
  return type.replace(/\/v1$/, "").toLowerCase();
}

function localAccess(fields: Fields, field: string, where: string): Access {
  return {
    kind: "local",
    reference: textOf(fields, field, where),
    mediaType: optionalText(fields, "mediaType", where),
  };
}

function artifactAccess(fields: Fields, where: string): Access {
  return { kind: "artifact", reference: textOf(fields, "imageReference", where) };
}

function blobAccess(fields: Fields, where: string): Access {
  const size = fieldOf(fields, "size");
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
    throw ocmError(`${where}: access.size: expected bytes`);
  }
  return {
    kind: "blob",
    // OCM's documents call it imageReference, too.
    repository: optionalText(fields, "ref", where) ?? textOf(fields, "imageReference", where),
    digest: textOf(fields, "digest", where),
    size,
    mediaType: optionalText(fields, "mediaType", where),
  };
}

/** The chart may have its version behind a colon. */
function helmAccess(fields: Fields, where: string): Access {
  const named = textOf(fields, "helmChart", where);
  const colon = named.lastIndexOf(":");
  const chart = colon < 0 ? named : named.slice(0, colon);
  const version = optionalText(fields, "version", where) ?? (colon < 0 ? undefined : named.slice(colon + 1));
  return {
    kind: "chart",
    repository: textOf(fields, "helmRepository", where),
    chart,
    version,
    ca: optionalText(fields, "caCert", where),
    keyring: optionalText(fields, "keyring", where),
  };
}

function fieldOf(fields: Fields, name: string): unknown {
  return Object.entries(fields).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function textOf(fields: Fields, name: string, where: string): string {
  const value = optionalText(fields, name, where);
  if (value === undefined) throw ocmError(`${where}: access.${name}: expected a text`);
  return value;
}

function optionalText(fields: Fields, name: string, where: string): string | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw ocmError(`${where}: access.${name}: expected a text`);
  return value;
}
