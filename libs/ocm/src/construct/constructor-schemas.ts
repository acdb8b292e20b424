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
const sourceReferenceSchema = Type.Object(
  {
    identitySelector: Type.Optional(Type.Record(Type.String(), Type.String())),
    labels: Type.Optional(Type.Array(labelSchema)),
  },
  closed,
);
/** `input` is checked by its own type. */
const content = { access: Type.Optional(accessSchema), input: Type.Optional(anyObject) };

const resourceSchema = Type.Object(
  {
    ...elementFields,
    type: Type.String({ minLength: 1 }),
    relation: Type.Optional(Type.Enum(["local", "external"])),
    srcRefs: Type.Optional(Type.Array(sourceReferenceSchema)),
    digest: Type.Optional(digestSchema),
    ...content,
  },
  closed,
);
const sourceSchema = Type.Object({ ...elementFields, type: Type.String({ minLength: 1 }), ...content }, closed);
const referenceSchema = Type.Object(
  { ...elementFields, version: Type.String(), componentName: Type.String(), digest: Type.Optional(digestSchema) },
  closed,
);

export const constructorSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    provider: providerSchema,
    labels: Type.Optional(Type.Array(labelSchema)),
    creationTime: Type.Optional(Type.String()),
    resources: Type.Optional(Type.Array(resourceSchema)),
    sources: Type.Optional(Type.Array(sourceSchema)),
    componentReferences: Type.Optional(Type.Array(referenceSchema)),
  },
  closed,
);
export type ConstructorDocument = Static<typeof constructorSchema>;
