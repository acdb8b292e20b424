// Rules for fields of descriptors that other programs enforce and our reader does not (docs/reference/components.md#constructor-files).
import { quoteText } from "@landscaper/api";
import { problemOfName, problemOfVersion } from "../check-descriptor.ts";
import type { Element, Label } from "../descriptor-schemas.ts";
import type { ConstructorDocument } from "./constructor-schemas.ts";

const identifier = /^[a-z0-9](?:[-_+a-z0-9]*[a-z0-9])?$/;
const identifierRule = 'lower-case letters, digits, "-", "_" and "+", with a letter or digit at both ends';
const maxNameLength = 255;

/** Returns the problems of a component, without its elements. Each begins with its field. */
export function findComponentProblems(component: ConstructorDocument): readonly string[] {
  const { name, version, provider, labels, creationTime, repositoryContexts = [] } = component;
  return [
    ...withField("name", problemOfName(name) ?? problemOfLength(name)),
    ...findVersionProblems(version),
    ...withField("provider.name", problemOfProvider(provider.name)),
    ...withField("creationTime", creationTime === undefined ? undefined : problemOfTime(creationTime)),
    ...repositoryContexts.flatMap((context, at) => withField(`repositoryContexts[${at}]`, problemOfContext(context))),
    ...findLabelProblems(labels, "labels"),
    ...findLabelProblems(provider.labels, "provider.labels"),
  ];
}

interface ElementFields {
  readonly name: string;
  readonly version?: string | undefined;
  readonly extraIdentity?: Element["extraIdentity"] | undefined;
  readonly labels?: readonly Label[] | undefined;
  /** Only references have one. */
  readonly componentName?: string | undefined;
}

/** Returns the problems of a resource, source or reference. Each begins with its field. */
export function findElementProblems(element: ElementFields): readonly string[] {
  const { name, version, extraIdentity = {}, labels, componentName } = element;
  return [
    ...withField("name", problemOfIdentifier(name)),
    ...(version === undefined ? [] : findVersionProblems(version)),
    ...(componentName === undefined
      ? []
      : withField("componentName", problemOfName(componentName) ?? problemOfLength(componentName))),
    ...Object.keys(extraIdentity).flatMap((key) => withField("extraIdentity", problemOfAttribute(key))),
    ...findLabelProblems(labels, "labels"),
  ];
}

/** Returns the problem of a version. Unlike our reader, rejects leading zeros. */
export function findVersionProblems(version: string): readonly string[] {
  const problem = problemOfVersion(version);
  if (problem !== undefined || !/^v?(?:\d+\.){0,2}0\d/.test(version)) return withField("version", problem);
  return [`version: expected numbers without leading zeros, found ${quoteText(version)}`];
}

export function findLabelProblems(labels: readonly Label[] = [], field: string): readonly string[] {
  const names = new Set<string>();
  return labels.flatMap(({ name, version }, at) => {
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...withField(
        `${field}[${at}].name`,
        isRepeated ? `expected each name once, found a second label ${quoteText(name)}. Remove one of them` : undefined,
      ),
      ...withField(
        `${field}[${at}].version`,
        version === undefined || /^v\d+$/.test(version)
          ? undefined
          : `expected a version such as v1, found ${quoteText(version)}`,
      ),
    ];
  });
}

function withField(field: string, problem: string | undefined): readonly string[] {
  return problem === undefined ? [] : [`${field}: ${problem}`];
}

function problemOfLength(name: string): string | undefined {
  return name.length <= maxNameLength
    ? undefined
    : `expected at most ${maxNameLength} characters, found ${name.length}`;
}

function problemOfIdentifier(text: string): string | undefined {
  return identifier.test(text) ? undefined : `expected ${identifierRule}, found ${quoteText(text)}`;
}

function problemOfAttribute(key: string): string | undefined {
  if (key === "name") return 'the attribute "name" is the name of the element. Remove it, or rename it';
  if (key.length >= 2 && identifier.test(key)) return undefined;
  return `expected attributes of at least 2 characters: ${identifierRule}; found ${quoteText(key)}`;
}

/** Returns why the name is not one of a provider. A name that begins with `{` is ambiguous: schema v2 stores a provider with labels as JSON text. */
function problemOfProvider(name: string): string | undefined {
  if (name === "") return "expected the name of the provider, found an empty string";
  return name.startsWith("{")
    ? `expected the name of the provider, found ${quoteText(name)}. Write a provider with labels as a map`
    : undefined;
}

function problemOfTime(text: string): string | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  if (isTime && !Number.isNaN(Date.parse(text))) return undefined;
  return `expected a time such as 2026-01-31T12:00:00Z, found ${quoteText(text)}`;
}

function problemOfContext(context: Readonly<Record<string, unknown>>): string | undefined {
  const { type, baseUrl } = context;
  const isKnown = type === "OCIRegistry" || type === "ociRegistry";
  if (isKnown && typeof baseUrl === "string" && baseUrl !== "") return undefined;
  const found = isKnown ? "no baseUrl" : typeof type === "string" ? `the type ${quoteText(type)}` : "no type";
  return `expected the type OCIRegistry with a baseUrl, found ${found}`;
}
