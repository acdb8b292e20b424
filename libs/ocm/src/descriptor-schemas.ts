import { Type, type Static } from "typebox";

/** Elements of descriptors have names of two characters at least (docs/reference/components.md#descriptors). */
const elementName = Type.String({ minLength: 2 });
export const anyObject = Type.Record(Type.String(), Type.Unknown());

export const labelSchema = Type.Object({
  name: Type.String({ minLength: 1 }),
  value: Type.Optional(Type.Unknown()),
  version: Type.Optional(Type.String()),
  /** Whether signatures cover the label. */
  signing: Type.Optional(Type.Boolean()),
});
/** A label of a component or of an element; its value is any JSON. */
export type Label = Static<typeof labelSchema>;

export const digestSchema = Type.Object({
  hashAlgorithm: Type.String(),
  normalisationAlgorithm: Type.String(),
  value: Type.String(),
});

/** Where content lies; the other fields depend on the type, and any type is accepted. */
export const accessSchema = Type.Object({ type: Type.String({ minLength: 1 }) });

export const elementFields = {
  name: elementName,
  version: Type.Optional(Type.String()),
  extraIdentity: Type.Optional(Type.Record(Type.String(), Type.String())),
  labels: Type.Optional(Type.Array(labelSchema)),
};

const resourceSchema = Type.Object({
  ...elementFields,
  type: Type.Optional(Type.String()),
  relation: Type.Optional(Type.Enum(["local", "external"])),
  access: Type.Optional(accessSchema),
  digest: Type.Optional(digestSchema),
});
export type Resource = Static<typeof resourceSchema>;

const sourceSchema = Type.Object({
  ...elementFields,
  type: Type.Optional(Type.String()),
  access: Type.Optional(accessSchema),
});
export type Source = Static<typeof sourceSchema>;

const referenceSchema = Type.Object({
  ...elementFields,
  version: Type.String(),
  componentName: Type.String(),
  digest: Type.Optional(digestSchema),
});
/** A reference to another component version. */
export type Reference = Static<typeof referenceSchema>;

/** What elements of all lists have. */
export type Element = Pick<Resource, "name" | "version" | "extraIdentity">;

const signatureSchema = Type.Object({
  name: Type.String({ minLength: 1 }),
  digest: digestSchema,
  signature: Type.Object({
    algorithm: Type.String(),
    value: Type.String(),
    mediaType: Type.String(),
    issuer: Type.Optional(Type.String()),
  }),
  timestamp: Type.Optional(Type.Object({ value: Type.Optional(Type.String()), time: Type.Optional(Type.String()) })),
});
export type Signature = Static<typeof signatureSchema>;

const nestedDigestSchema = Type.Object({
  name: Type.String(),
  version: Type.String(),
  digest: Type.Optional(digestSchema),
  resourceDigests: Type.Optional(Type.Array(anyObject)),
});
/** The digests of a referenced component version that a signature relies on. */
export type NestedDigest = Static<typeof nestedDigestSchema>;

export const providerSchema = Type.Object({
  name: Type.String(),
  labels: Type.Optional(Type.Array(labelSchema)),
});
/** Who made the component. */
export type Provider = Static<typeof providerSchema>;

const shared = {
  repositoryContexts: Type.Optional(Type.Array(anyObject)),
  sources: Type.Optional(Type.Array(sourceSchema)),
  resources: Type.Optional(Type.Array(resourceSchema)),
};
const identification = {
  name: Type.String(),
  version: Type.String(),
  labels: Type.Optional(Type.Array(labelSchema)),
  creationTime: Type.Optional(Type.String()),
};
const proof = {
  signatures: Type.Optional(Type.Array(signatureSchema)),
  nestedDigests: Type.Optional(Type.Array(nestedDigestSchema)),
};

/** docs/reference/components.md#descriptors; unknown fields are kept. */
export const v2Schema = Type.Object({
  meta: Type.Object({ schemaVersion: Type.String() }),
  component: Type.Object({
    ...identification,
    ...shared,
    provider: Type.Optional(Type.String()),
    componentReferences: Type.Optional(Type.Array(referenceSchema)),
  }),
  ...proof,
});
export type V2Document = Static<typeof v2Schema>;

/** docs/reference/components.md#descriptors; unknown fields are kept. */
export const v3Schema = Type.Object({
  apiVersion: Type.String(),
  kind: Type.Optional(Type.Literal("ComponentVersion")),
  metadata: Type.Object({
    ...identification,
    provider: Type.Optional(providerSchema),
  }),
  repositoryContexts: shared.repositoryContexts,
  spec: Type.Optional(
    Type.Object({
      sources: shared.sources,
      resources: shared.resources,
      references: Type.Optional(Type.Array(referenceSchema)),
    }),
  ),
  ...proof,
});
export type V3Document = Static<typeof v3Schema>;
