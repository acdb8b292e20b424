import { fromYaml } from "@landscaper/goyaml";
import { isObject, parseOcmCredentials, type Credentials } from "@landscaper/oci";
import { componentError } from "../component-error.ts";
import { parseRepositoryContext } from "../repository/repository-context.ts";
import type { Resolver } from "./resolver.ts";

/** What an OCM configuration says of repositories. */
export interface OcmConfiguration extends Credentials {
  readonly resolvers: readonly Resolver[];
}

/** More than any configuration has; it is read on the thread that serves everybody. */
const maxTextLength = 256 * 1024;
const defaultPriority = 10;
const containerType = /^generic\.config\.ocm\.software(?:\/v1)?$/;
const resolverType = /^ocm\.config\.ocm\.software(?:\/v1)?$/;
const credentialType = /^credentials\.config\.ocm\.software(?:\/v1(?:alpha1)?)?$/;

/**
 * Reads the key `.ocmconfig` of a ConfigMap: resolvers and consumers, alone or in a configuration of the type generic.config.ocm.software. Other types are passed over with a
 * warning. Throws LandscaperError that names the field; neither messages nor warnings have a value.
 */
export function parseOcmConfiguration(text: string, where: string): OcmConfiguration {
  if (text.length > maxTextLength) throw invalid(where, `more than the allowed ${maxTextLength} characters`);
  const parts = listParts(readYaml(text, where), where).map(({ part, place }) => readPart(part, place));
  return {
    resolvers: parts.flatMap(({ resolvers }) => resolvers),
    entries: parts.flatMap(({ entries }) => entries),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

interface Part {
  readonly part: unknown;
  readonly place: string;
}

function listParts(document: unknown, where: string): readonly Part[] {
  if (!isObject(document)) throw invalid(where, "expected an object");
  const { type, configurations = [] } = document;
  if (typeof type !== "string" || !containerType.test(type)) return [{ part: document, place: where }];
  if (!Array.isArray(configurations)) throw invalid(where, "configurations: expected a list");
  return configurations.map((part: unknown, index) => ({ part, place: `${where}: configurations[${index}]` }));
}

function readPart(part: unknown, place: string): OcmConfiguration {
  if (!isObject(part)) throw invalid(place, "expected an object");
  const { type } = part;
  if (typeof type !== "string") throw invalid(place, "type: expected a text");
  if (credentialType.test(type)) return { ...parseOcmCredentials(JSON.stringify(part), place), resolvers: [] };
  if (resolverType.test(type)) return { resolvers: readResolvers(part["resolvers"], place), entries: [], warnings: [] };
  return {
    resolvers: [],
    entries: [],
    warnings: [`${place}: only resolvers and credentials of an OCM configuration are read; it is passed over`],
  };
}

function readResolvers(list: unknown, place: string): readonly Resolver[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw invalid(place, "resolvers: expected a list");
  return list.map((entry: unknown, index) => readResolver(entry, `${place}: resolvers[${index}]`));
}

function readResolver(entry: unknown, place: string): Resolver {
  const { repository, prefix = "", priority = defaultPriority } = isObject(entry) ? entry : {};
  if (!isObject(repository)) throw invalid(place, "repository: expected an object");
  if (typeof prefix !== "string") throw invalid(place, "prefix: expected a text");
  if (typeof priority !== "number" || !Number.isInteger(priority))
    throw invalid(place, "priority: expected an integer");
  parseRepositoryContext(repository, `${place}.repository`);
  return { repository, prefix: prefix.replace(/\/+$/, ""), priority };
}

function readYaml(text: string, where: string): unknown {
  try {
    return fromYaml(text);
  } catch {
    // The parser's message would quote the text, which may hold credentials.
    throw invalid(where, "expected YAML, found text that is not valid YAML");
  }
}

function invalid(where: string, problem: string): Error {
  return componentError("InvalidComponent", `${where}: ${problem}`);
}
