import { createParser } from "@landscaper/api";
import { schemaVersionNamed, type RepositoryContext, type SchemaVersion } from "../component-descriptor.ts";
import type { Reference, Resource, Source } from "../descriptor-schemas.ts";
import { foldDocument } from "../fold-document.ts";
import { ocmError } from "../ocm-error.ts";
import { constructorSchema, type ConstructorDocument } from "./constructor-schemas.ts";
import { checkAccessTexts } from "./access-texts.ts";
import { createErrorCollector } from "./error-collector.ts";
import { distinguishElements } from "./distinguish-elements.ts";
import type { Input } from "./input-schemas.ts";
import { parseInput } from "./parse-input.ts";
import { withoutNulls } from "./without-nulls.ts";

/** An element whose content is made from an input, or lies where an access says; exactly one of them is there. */
export type WithInput<T extends Pick<Resource, "access">> = T & {
  /** Whether the element gets no digest. */
  readonly skipsDigest?: true | undefined;
} & (
    | { readonly input: Input; readonly access?: undefined }
    | { readonly input?: undefined; readonly access: NonNullable<Resource["access"]> }
  );

/** A component version that is to be made. */
export interface ComponentConstructor extends Pick<
  ConstructorDocument,
  "name" | "version" | "provider" | "labels" | "creationTime"
> {
  /** For messages. */
  readonly where: string;
  /** Of the descriptor; undefined: as the caller wants it. */
  readonly schemaVersion: SchemaVersion | undefined;
  readonly repositoryContexts: readonly RepositoryContext[];
  readonly resources: readonly WithInput<Resource>[];
  readonly sources: readonly WithInput<Source>[];
  readonly references: readonly Reference[];
  /** Warnings about fields without effect, with their paths. */
  readonly warnings: readonly string[];
}

export interface ConstructorOptions {
  /** Of components that name none. */
  readonly version?: string | undefined;
}

type JsonMap = Readonly<Record<string, unknown>>;

const parseComponent = createParser<ConstructorDocument>(constructorSchema, "component constructor");

/**
 * Reads a document of a constructor file (docs/reference/components.md#constructor-files): a map with a list `components`, or one
 * component. Fields are matched without regard to case, null is an absent field. `where` begins all messages. Throws LandscaperError that names the fields of all elements that are invalid.
 */
export function parseConstructor(
  value: unknown,
  where: string,
  options: ConstructorOptions = {},
): readonly ComponentConstructor[] {
  if (!isMap(value)) throw ocmError(`${where}: expected a component, or a map with a list "components"`);
  // For editors alone.
  const { $schema: _, components, ...others } = withoutNulls(value);
  if (components === undefined) return [readComponent({ ...others }, where, options)];
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw ocmError(`${where}: ${unknown}: unknown field beside "components"`);
  if (!Array.isArray(components) || components.length === 0) {
    throw ocmError(`${where}: components: expected a list of components`);
  }
  const errors = createErrorCollector();
  const read = components.flatMap((component: unknown, at) =>
    errors.read(() => readComponent(component, `${where}: components[${at}]`, options)),
  );
  errors.throwAll();
  return read;
}

function readComponent(value: unknown, where: string, options: ConstructorOptions): ComponentConstructor {
  const document = parseComponent(prepare(value, options), where);
  const { resources = [], sources = [], references = [], componentReferences = [], meta, ...component } = document;
  const warnings: string[] = [];
  const reading: Reading = { version: component.version, warn: (message) => warnings.push(message) };
  if (meta?.schemaVersion !== undefined && meta.configuredSchemaVersion !== undefined) {
    reading.warn(`${where}: meta.schemaVersion: has no effect beside meta.configuredSchemaVersion; remove it`);
  }
  const place = (list: string, at: number): string => `${where}: ${list}[${at}]`;
  const errors = createErrorCollector();
  const read = {
    resources: resources.flatMap((resource, at) =>
      errors.read(() => readResource(resource, place("resources", at), reading)),
    ),
    sources: sources.flatMap((source, at) => errors.read(() => readSource(source, place("sources", at), reading))),
  };
  errors.throwAll();
  return {
    ...component,
    where,
    schemaVersion: readSchemaVersion(meta, where),
    repositoryContexts: component.repositoryContexts ?? [],
    references: [...references, ...componentReferences],
    resources: distinguishElements(read.resources, `${where}: resources`, reading.warn),
    sources: distinguishElements(read.sources, `${where}: sources`, reading.warn),
    warnings,
  };
}

interface Reading {
  /** Of the component. */
  readonly version: string;
  readonly warn: (message: string) => void;
}

/** Brings the forms that OCM accepts to the one of the schema. */
function prepare(value: unknown, { version }: ConstructorOptions): unknown {
  if (!isMap(value)) return value;
  const folded = foldDocument(withoutNulls(value), { ...constructorSchema });
  if (!isMap(folded)) return folded;
  const lists = ["resources", "sources", "references", "componentReferences"].flatMap((list) => {
    const elements = folded[list];
    if (!Array.isArray(elements)) return [];
    return [[list, elements.map((element: unknown) => (isMap(element) ? withoutNulls(element) : element))] as const];
  });
  const { provider } = folded;
  return {
    ...(version === undefined ? {} : { version }),
    ...folded,
    ...Object.fromEntries(lists),
    // A provider without labels may be a text, as in descriptors of schema v2.
    ...(typeof provider === "string" ? { provider: { name: provider } } : {}),
  };
}

function readSchemaVersion(meta: ConstructorDocument["meta"], where: string): SchemaVersion | undefined {
  const name = meta?.configuredSchemaVersion ?? meta?.schemaVersion;
  const schemaVersion = name === undefined ? undefined : schemaVersionNamed(name);
  if (name === undefined || schemaVersion !== undefined) return schemaVersion;
  throw ocmError(
    `${where}: meta.configuredSchemaVersion: expected v2 or ocm.software/v3alpha1, found ${JSON.stringify(name)}`,
  );
}

type ResourceDocument = NonNullable<ConstructorDocument["resources"]>[number];
type SourceDocument = NonNullable<ConstructorDocument["sources"]>[number];

function readResource(document: ResourceDocument, where: string, reading: Reading): WithInput<Resource> {
  const { srcRefs = [], sourceRefs = [], ...element } = document;
  const { relation = element.input === undefined ? "external" : "local", ...resource } = readElement(
    element,
    where,
    reading,
  );
  const allSources = [...srcRefs, ...sourceRefs];
  return { ...resource, relation, ...(allSources.length === 0 ? {} : { srcRefs: allSources }) };
}

function readSource(document: SourceDocument, where: string, reading: Reading): WithInput<Source> {
  return readElement(document, where, reading);
}

function readElement<T extends SourceDocument>(document: T, where: string, { version, warn }: Reading) {
  const { access, input, options, skipDigestGeneration, copyPolicy, ...element } = document;
  for (const message of unevaluated({ options, copyPolicy, access })) warn(`${where}: ${message}`);
  const skipsDigest = skipDigestGeneration === true || options?.["skipDigestGeneration"] === true;
  const made = { ...element, ...(skipsDigest ? { skipsDigest } : {}) };
  if (access !== undefined) checkAccessTexts(access, `${where}: access`);
  if (access !== undefined && input === undefined) return { ...made, version: element.version ?? version, access };
  if (input !== undefined && access === undefined) {
    const parsed = parseInput(input, `${where}: input`, warn);
    const ofChart = parsed.type === "helm" ? parsed.version : undefined;
    return { ...made, version: element.version ?? ofChart ?? version, input: parsed };
  }
  throw ocmError(`${where}: expected input or access, found ${access === undefined ? "neither" : "both"}`);
}

/** What OCM knows and this library does not evaluate. */
function unevaluated({
  options = {},
  copyPolicy,
  access,
}: {
  readonly [field in "options" | "copyPolicy" | "access"]: ResourceDocument[field] | undefined;
}): readonly string[] {
  const others = Object.keys(options)
    .filter((name) => name !== "skipDigestGeneration")
    .map((name) => `options.${name}: has no effect`);
  const isCopied = copyPolicy === "byValue" && access !== undefined;
  return isCopied
    ? [...others, "copyPolicy: byValue has no effect: the content stays where its access says; use an input"]
    : others;
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
