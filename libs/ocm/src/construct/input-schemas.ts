import { Type, type Static } from "typebox";

const text = Type.String({ minLength: 1 });
const texts = Type.Array(text);
const closed = { additionalProperties: false } as const;
/** Of the content that is stored. */
const stored = { mediaType: Type.Optional(text), compress: Type.Optional(Type.Boolean()) };

const fileSchema = Type.Object({ type: Type.Literal("file"), path: text, ...stored }, closed);
const dirSchema = Type.Object(
  {
    type: Type.Literal("dir"),
    path: text,
    ...stored,
    /** The last part of the path stands before all names. */
    preserveDir: Type.Optional(Type.Boolean()),
    followSymlinks: Type.Optional(Type.Boolean()),
    includeFiles: Type.Optional(texts),
    excludeFiles: Type.Optional(texts),
  },
  closed,
);
const utf8Schema = Type.Object(
  {
    type: Type.Literal("utf8"),
    ...stored,
    text: Type.Optional(Type.String()),
    json: Type.Optional(Type.Unknown()),
    formattedJson: Type.Optional(Type.Unknown()),
    yaml: Type.Optional(Type.Unknown()),
  },
  closed,
);
const binarySchema = Type.Object({ type: Type.Literal("binary"), ...stored, data: Type.String() }, closed);
const helmSchema = Type.Object(
  {
    type: Type.Literal("helm"),
    /** A folder or a packed chart. */
    path: text,
    /** Must be the chart's own. */
    version: Type.Optional(text),
    /** Repository that a transfer into a registry gives the chart, below the component's name. */
    repository: Type.Optional(text),
  },
  closed,
);

/** How the content of a resource is made, by type. */
export const inputSchemas = {
  file: fileSchema,
  dir: dirSchema,
  utf8: utf8Schema,
  binary: binarySchema,
  helm: helmSchema,
};

export type FileInput = Static<typeof fileSchema>;
export type DirInput = Static<typeof dirSchema>;
export type Utf8Input = Static<typeof utf8Schema>;
export type BinaryInput = Static<typeof binarySchema>;
export type HelmInput = Static<typeof helmSchema>;
/** Content that is stored with a component; paths are relative to the file that names them. */
export type Input = FileInput | DirInput | Utf8Input | BinaryInput | HelmInput;
