import { Type, type Static } from "typebox";

const text = Type.String({ minLength: 1 });
const texts = Type.Array(text);
const closed = { additionalProperties: false } as const;
/** Of the content that is stored. */
const stored = { mediaType: Type.Optional(text), compress: Type.Optional(Type.Boolean()) };
/** Repository that a transfer into a registry gives the artifact: below the component's name, unless it begins with a slash. */
const repository = Type.Optional(text);

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
    /** Archives are reproducible in any case. */
    reproducible: Type.Optional(Type.Boolean()),
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
    /** A folder or a packed chart; with `helmRepository` the name of the chart there. */
    path: Type.Optional(text),
    /** The tag of the artifact; with `helmRepository` and `path` the version to fetch. */
    version: Type.Optional(text),
    /** A repository of charts; without `path` the chart itself: a URL of a packed chart, or oci://REPOSITORY/CHART:VERSION. */
    helmRepository: Type.Optional(text),
    /** PEM that is trusted for the repository. */
    caCert: Type.Optional(text),
    caCertFile: Type.Optional(text),
    repository,
    ...stored,
  },
  closed,
);
const ociArtifactSchema = Type.Object(
  {
    type: Type.Literal("ociArtifact"),
    /** Reference of the artifact. */
    path: text,
    repository,
    /** `OS/ARCHITECTURE`, either may be empty: what is taken of an index. Default: all. */
    platforms: Type.Optional(texts),
    ...stored,
  },
  closed,
);
const dockerSchema = Type.Object({ type: Type.Literal("docker"), path: text, repository, ...stored }, closed);
const dockermultiSchema = Type.Object(
  { type: Type.Literal("dockermulti"), variants: Type.Array(text, { minItems: 1 }), repository, ...stored },
  closed,
);
const wgetSchema = Type.Object(
  {
    type: Type.Literal("wget"),
    url: text,
    ...stored,
    header: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    /** Default: GET. */
    verb: Type.Optional(text),
    /** Base64. */
    body: Type.Optional(Type.String()),
    noredirect: Type.Optional(Type.Boolean()),
  },
  closed,
);
const spiffSchema = Type.Object(
  {
    type: Type.Literal("spiff"),
    path: text,
    ...stored,
    /** What the template sees as `inputvalues`. */
    values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Files that are merged as stubs. */
    libraries: Type.Optional(texts),
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
  ociArtifact: ociArtifactSchema,
  docker: dockerSchema,
  dockermulti: dockermultiSchema,
  wget: wgetSchema,
  spiff: spiffSchema,
};

export type FileInput = Static<typeof fileSchema>;
export type DirInput = Static<typeof dirSchema>;
export type Utf8Input = Static<typeof utf8Schema>;
export type BinaryInput = Static<typeof binarySchema>;
export type HelmInput = Static<typeof helmSchema>;
export type OciArtifactInput = Static<typeof ociArtifactSchema>;
export type DockerInput = Static<typeof dockerSchema>;
export type DockermultiInput = Static<typeof dockermultiSchema>;
export type WgetInput = Static<typeof wgetSchema>;
export type SpiffInput = Static<typeof spiffSchema>;
/** Content that is stored with a component; paths are relative to the file that names them. */
export type Input =
  | FileInput
  | DirInput
  | Utf8Input
  | BinaryInput
  | HelmInput
  | OciArtifactInput
  | DockerInput
  | DockermultiInput
  | WgetInput
  | SpiffInput;
