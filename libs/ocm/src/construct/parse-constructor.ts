import {
  createErrorCollector,
  createAllErrorsParser,
  quoteText,
  shortenText,
  type AllErrorsParser,
} from "@landscaper/api";
import type { TSchema } from "typebox";
import { schemaVersionNamed, type RepositoryContext, type SchemaVersion } from "../component-descriptor.ts";
import type { Label, Reference, Resource, Source } from "../descriptor-schemas.ts";
import { foldDocument } from "../fold-document.ts";
import { identityKey } from "../identity.ts";
import { ocmError } from "../ocm-error.ts";
import {
  constructorSchema,
  referenceSchema,
  resourceSchema,
  sourceSchema,
  type ConstructorDocument,
  type ResourceDocument,
  type SourceDocument,
} from "./constructor-schemas.ts";
import { findAccessProblems } from "./find-access-problems.ts";
import {
  findComponentProblems,
  findElementProblems,
  findLabelProblems,
  findVersionProblems,
} from "./find-field-problems.ts";
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

const parseComponent = createAllErrorsParser<ConstructorDocument>(constructorSchema, "component constructor");
const parseResource = elementParser<ResourceDocument>(resourceSchema, "resource");
const parseSource = elementParser<SourceDocument>(sourceSchema, "source");
const parseReference = elementParser<Reference>(referenceSchema, "reference");

/** Returns a parser of elements in any form that OCM accepts. */
function elementParser<T>(schema: TSchema, kind: string): AllErrorsParser<T> {
  const parse = createAllErrorsParser<T>(schema, kind);
  return (value, where) => parse(isMap(value) ? foldDocument(withoutNulls(value), { ...schema }) : value, where);
}

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
  if (unknown !== undefined) throw ocmError(`${where}: ${shortenText(unknown)}: unknown field beside "components"`);
  if (!Array.isArray(components) || components.length === 0) {
    throw ocmError(`${where}: components: expected a list of components`);
  }
  const errors = createErrorCollector();
  const read = components.flatMap((component: unknown, at) =>
    errors.collect(() => readComponent(component, `${where}: components[${at}]`, options)),
  );
  errors.throwAll();
  return read;
}

function readComponent(value: unknown, where: string, options: ConstructorOptions): ComponentConstructor {
  const errors = createErrorCollector();
  const prepared = prepare(value, options);
  const [document] = errors.collect(() => parseComponent(prepared, where));
  const warnings: string[] = [];
  const reading: Reading = { version: document?.version ?? "", warn: (message) => warnings.push(message) };
  // Reads the elements of an invalid component, too: the error then has the problems of both.
  const readList = <T>(list: string, read: (element: unknown, place: string) => T): readonly T[] => {
    const elements = isMap(prepared) ? prepared[list] : undefined;
    if (!Array.isArray(elements)) return [];
    return elements.flatMap((element: unknown, at) => errors.collect(() => read(element, `${where}: ${list}[${at}]`)));
  };
  const [schemaVersion] = errors.collect(() => readSchemaVersion(document?.meta, where, reading.warn));
  if (document !== undefined) errors.collect(() => throwProblems(findComponentProblems(document), where));
  const resources = readList("resources", (element, place) => readResource(element, place, reading));
  const sources = readList("sources", (element, place) => readSource(element, place, reading));
  const references = ["references", "componentReferences"].flatMap((list) =>
    readList(list, (element, place) => ({ place, reference: readReference(element, place) })),
  );
  for (const problem of findEqualReferences(references)) errors.add(ocmError(problem));
  errors.throwAll();
  if (document === undefined) throw new Error(`${where}: expected a component or an error`);
  const { name, version, provider, labels, creationTime, repositoryContexts = [] } = withLabels(document);
  return {
    name,
    version,
    provider: withLabels(provider),
    ...(labels === undefined ? {} : { labels }),
    ...(creationTime === undefined ? {} : { creationTime }),
    where,
    schemaVersion,
    repositoryContexts,
    references: references.map(({ reference }) => reference),
    resources: distinguishElements(resources, `${where}: resources`, reading.warn),
    sources: distinguishElements(sources, `${where}: sources`, reading.warn),
    warnings,
  };
}

interface PlacedReference {
  /** Begins messages. */
  readonly place: string;
  readonly reference: Reference;
}

function findEqualReferences(references: readonly PlacedReference[]): readonly string[] {
  const known = new Set<string>();
  return references.flatMap(({ place, reference }) => {
    const key = identityKey(reference);
    if (!known.has(key)) {
      known.add(key);
      return [];
    }
    return [
      `${place}: expected references of different name, version or extraIdentity, found a second one named ${quoteText(reference.name)} with the same. Remove it, or give it another name or extraIdentity.`,
    ];
  });
}

function readReference(value: unknown, where: string): Reference {
  const reference = parseReference(value, where);
  throwProblems(findElementProblems(reference), where);
  return withLabels(reference);
}

function throwProblems(problems: readonly string[], where: string): void {
  const errors = createErrorCollector();
  for (const problem of problems) errors.add(ocmError(`${where}: ${problem}`));
  errors.throwAll();
}

/** Gives labels without a value the value null, as `ocm` does. Other programs refuse labels without a value. */
function withLabels<T extends { readonly labels?: readonly Label[] | undefined }>(owner: T): T {
  const { labels } = owner;
  return labels === undefined
    ? owner
    : { ...owner, labels: labels.map((label) => ({ ...label, value: label.value ?? null })) };
}

interface Reading {
  /** Of the component. */
  readonly version: string;
  readonly warn: (message: string) => void;
}

/** Converts the forms of a component that OCM accepts to the form of the schema, without its elements. */
function prepare(value: unknown, { version }: ConstructorOptions): unknown {
  if (!isMap(value)) return value;
  const folded = foldDocument(withoutNulls(value), { ...constructorSchema });
  if (!isMap(folded)) return folded;
  const { provider } = folded;
  return {
    ...(version === undefined ? {} : { version }),
    ...folded,
    // A provider without labels may be a text, as in descriptors of schema v2.
    ...(typeof provider === "string" ? { provider: { name: provider } } : {}),
  };
}

function readSchemaVersion(
  { schemaVersion, configuredSchemaVersion }: NonNullable<ConstructorDocument["meta"]> = {},
  where: string,
  warn: Reading["warn"],
): SchemaVersion | undefined {
  if (schemaVersion !== undefined && configuredSchemaVersion !== undefined) {
    warn(`${where}: meta.schemaVersion: has no effect beside meta.configuredSchemaVersion; remove it`);
  }
  const name = configuredSchemaVersion ?? schemaVersion;
  const known = name === undefined ? undefined : schemaVersionNamed(name);
  if (name === undefined || known !== undefined) return known;
  const field = configuredSchemaVersion === undefined ? "schemaVersion" : "configuredSchemaVersion";
  throw ocmError(`${where}: meta.${field}: expected v2 or ocm.software/v3alpha1, found ${quoteText(name)}`);
}

function readResource(value: unknown, where: string, reading: Reading): WithInput<Resource> {
  const { srcRefs = [], sourceRefs = [], ...element } = parseResource(value, where);
  const errors = createErrorCollector();
  if (element.input !== undefined && element.digest !== undefined) {
    errors.add(
      ocmError(
        `${where}: digest: expected no digest beside input, found one. Remove it: the command computes the digest of the content.`,
      ),
    );
  }
  const [read] = errors.collect(() => readElement(element, where, reading));
  for (const [field, references] of Object.entries({ srcRefs, sourceRefs })) {
    const problems = references.flatMap(({ labels }, at) => findLabelProblems(labels, `${field}[${at}].labels`));
    errors.collect(() => throwProblems(problems, where));
  }
  errors.throwAll();
  if (read === undefined) throw new Error(`${where}: expected a resource or an error`);
  const { relation = element.input === undefined ? "external" : "local", ...resource } = read;
  const allSources = [...srcRefs, ...sourceRefs].map(withLabels);
  return { ...resource, relation, ...(allSources.length === 0 ? {} : { srcRefs: allSources }) };
}

function readSource(value: unknown, where: string, reading: Reading): WithInput<Source> {
  return readElement(parseSource(value, where), where, reading);
}

function readElement<T extends SourceDocument>(document: T, where: string, { version, warn }: Reading) {
  const { access, input, options, skipDigestGeneration, copyPolicy, ...element } = document;
  for (const message of unevaluated({ options, copyPolicy, access })) warn(`${where}: ${message}`);
  const skipsDigest = skipDigestGeneration === true || options?.["skipDigestGeneration"] === true;
  // Go's decoder treats an empty version as absent.
  const ownVersion = element.version === "" ? undefined : element.version;
  const made = withLabels({ ...element, ...(skipsDigest ? { skipsDigest } : {}) });
  const errors = createErrorCollector();
  if ((access === undefined) === (input === undefined)) {
    errors.add(
      ocmError(
        `${where}: expected input or access, found ${access === undefined ? "neither" : "both"}. Give one of them.`,
      ),
    );
  }
  const accessProblems = access === undefined ? [] : findAccessProblems(access);
  errors.collect(() => throwProblems(findElementProblems({ ...element, version: ownVersion }), where));
  errors.collect(() => throwProblems(accessProblems, `${where}: access`));
  const [parsed] = input === undefined ? [] : errors.collect(() => parseInput(input, `${where}: input`, warn));
  const ofChart = parsed?.type === "helm" ? parsed.version : undefined;
  if (ownVersion === undefined && ofChart !== undefined) {
    errors.collect(() => throwProblems(findVersionProblems(ofChart), `${where}: input`));
  }
  errors.throwAll();
  if (access !== undefined) return { ...made, version: ownVersion ?? version, access };
  if (parsed === undefined) throw new Error(`${where}: expected an input or an error`);
  return { ...made, version: ownVersion ?? ofChart ?? version, input: parsed };
}

/** Returns warnings about fields that OCM knows and this library does not evaluate. */
function unevaluated({
  options = {},
  copyPolicy,
  access,
}: {
  readonly [field in "options" | "copyPolicy" | "access"]: ResourceDocument[field] | undefined;
}): readonly string[] {
  const others = Object.keys(options)
    .filter((name) => name !== "skipDigestGeneration")
    .map((name) => `options.${shortenText(name)}: has no effect`);
  const isCopied = copyPolicy === "byValue" && access !== undefined;
  return isCopied
    ? [...others, "copyPolicy: byValue has no effect: the content stays where its access says; use an input"]
    : others;
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
