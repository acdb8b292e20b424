import { Type, type Static } from "typebox";
import {
  accessSchema,
  anyObject,
  digestSchema,
  elementFields,
  labelSchema,
  providerSchema,
} from "../descriptor-schemas.ts";

const closed = { additionalProperties: false } as const;
const label = Type.Object({ ...labelSchema.properties }, closed);
const labels = Type.Optional(Type.Array(label));
const provider = Type.Object({ ...providerSchema.properties, labels }, closed);
const digest = Type.Optional(Type.Object({ ...digestSchema.properties }, closed));
const constructorElementFields = { ...elementFields, labels };
const sourceReferenceSchema = Type.Object(
  {
    identitySelector: Type.Optional(Type.Record(Type.String(), Type.String())),
    labels,
  },
  closed,
);
/** How OCM makes the element; what of it has an effect here is in parse-constructor.ts. */
const making = {
  options: Type.Optional(anyObject),
  skipDigestGeneration: Type.Optional(Type.Boolean()),
  copyPolicy: Type.Optional(Type.Enum(["byReference", "byValue"])),
};
/** `input` is checked by its own type. */
const content = { access: Type.Optional(accessSchema), input: Type.Optional(anyObject) };

export const resourceSchema = Type.Object(
  {
    ...constructorElementFields,
    type: Type.String({ minLength: 1 }),
    relation: Type.Optional(Type.Enum(["local", "external"])),
    srcRefs: Type.Optional(Type.Array(sourceReferenceSchema)),
    sourceRefs: Type.Optional(Type.Array(sourceReferenceSchema)),
    digest,
    ...making,
    ...content,
  },
  closed,
);
export type ResourceDocument = Static<typeof resourceSchema>;
export const sourceSchema = Type.Object(
  { ...constructorElementFields, type: Type.String({ minLength: 1 }), ...making, ...content },
  closed,
);
export type SourceDocument = Static<typeof sourceSchema>;
export const referenceSchema = Type.Object(
  { ...constructorElementFields, version: Type.String(), componentName: Type.String(), digest },
  closed,
);

/** Elements have parsers of their own: an invalid component does not hide the errors of its elements. */
const elements = Type.Optional(Type.Array(Type.Unknown()));

export const constructorSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    provider,
    labels,
    creationTime: Type.Optional(Type.String()),
    repositoryContexts: Type.Optional(Type.Array(anyObject)),
    resources: elements,
    sources: elements,
    references: elements,
    componentReferences: elements,
    /** Schema of the descriptor. */
    meta: Type.Optional(
      Type.Object(
        { schemaVersion: Type.Optional(Type.String()), configuredSchemaVersion: Type.Optional(Type.String()) },
        closed,
      ),
    ),
  },
  closed,
);
export type ConstructorDocument = Static<typeof constructorSchema>;
