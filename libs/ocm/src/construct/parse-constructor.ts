import { createParser, type Parser } from "@landscaper/api";
import type { Reference, Resource, Source } from "../descriptor-schemas.ts";
import { ocmError } from "../ocm-error.ts";
import { constructorSchema, type ConstructorDocument } from "./constructor-schemas.ts";
import { inputSchemas, type Input } from "./input-schemas.ts";

/** An element whose content is made from an input, or lies where an access says; exactly one of them is there. */
export type WithInput<T> = T & { readonly input?: Input | undefined };

/** A component version that is to be made. */
export interface ComponentConstructor extends Pick<
  ConstructorDocument,
  "name" | "version" | "provider" | "labels" | "creationTime"
> {
  /** For messages. */
  readonly where: string;
  readonly resources: readonly WithInput<Resource>[];
  readonly sources: readonly WithInput<Source>[];
  readonly references: readonly Reference[];
}

const parseComponent = createParser<ConstructorDocument>(constructorSchema, "component constructor");
const inputParsers: Readonly<Record<string, Parser<Input>>> = Object.fromEntries(
  Object.entries(inputSchemas).map(([type, schema]) => [type, createParser<Input>(schema, `input of type ${type}`)]),
);

/**
 * Reads a document of a constructor file (docs/reference/components.md#component-archives-and-transfer): a map with a list `components`, or one
 * component. `where` begins all messages. Throws LandscaperError that names the field.
 */
export function parseConstructor(value: unknown, where: string): readonly ComponentConstructor[] {
  if (!isMap(value)) throw ocmError(`${where}: expected a component, or a map with a list "components"`);
  const { components, ...others } = value;
  if (components === undefined) return [readComponent(value, where)];
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw ocmError(`${where}: ${unknown}: unknown field beside "components"`);
  if (!Array.isArray(components) || components.length === 0) {
    throw ocmError(`${where}: components: expected a list of components`);
  }
  return components.map((component: unknown, at) => readComponent(component, `${where}: components[${at}]`));
}

function readComponent(value: unknown, where: string): ComponentConstructor {
  // A provider without labels may be a text, as in descriptors of schema v2.
  const isShort = isMap(value) && typeof value["provider"] === "string";
  const document = parseComponent(isShort ? { ...value, provider: { name: value["provider"] } } : value, where);
  const { resources = [], sources = [], componentReferences = [], ...component } = document;
  const place = (list: string, at: number): string => `${where}: ${list}[${at}]`;
  return {
    ...component,
    where,
    references: componentReferences,
    resources: resources.map((resource, at) => readResource(resource, component.version, place("resources", at))),
    sources: sources.map(({ access, input, ...source }, at) => ({
      ...source,
      ...readContent({ access, input }, place("sources", at)),
      version: source.version ?? component.version,
    })),
  };
}

type ResourceDocument = NonNullable<ConstructorDocument["resources"]>[number];

function readResource(
  { access, input, ...resource }: ResourceDocument,
  componentVersion: string,
  where: string,
): WithInput<Resource> {
  const content = readContent({ access, input }, where);
  const relation = resource.relation ?? (input === undefined ? "external" : "local");
  const version = resource.version ?? (relation === "local" ? componentVersion : undefined);
  if (version === undefined) throw ocmError(`${where}: version: expected the version of the external resource`);
  return { ...resource, ...content, relation, version };
}

interface ContentDocument {
  readonly access: ResourceDocument["access"] | undefined;
  readonly input: ResourceDocument["input"] | undefined;
}

function readContent({ access, input }: ContentDocument, where: string): Pick<WithInput<Resource>, "access" | "input"> {
  if ((access === undefined) === (input === undefined)) {
    throw ocmError(`${where}: expected input or access, found ${access === undefined ? "neither" : "both"}`);
  }
  if (input !== undefined) return { input: readInput(input, `${where}: input`) };
  return access === undefined ? {} : { access };
}

function readInput(input: Readonly<Record<string, unknown>>, where: string): Input {
  const { type } = input;
  const parse = typeof type === "string" && Object.hasOwn(inputParsers, type) ? inputParsers[type] : undefined;
  if (parse !== undefined) return parse(input, where);
  const known = Object.keys(inputParsers).join(", ");
  throw ocmError(
    `${where}: type: expected one of ${known}, found ${typeof type === "string" ? JSON.stringify(type) : "no text"}`,
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
