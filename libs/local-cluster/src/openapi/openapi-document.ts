import { kubernetesVersion } from "../discovery/kubernetes-version.ts";
import { findBuiltinType, findStruct } from "../builtin-types/parse-builtin-types.ts";
import { isRecord } from "../objects/json.ts";
import type { ResourceDefinition, Verb } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import { SchemaCollection } from "./builtin-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI v3 document of one group and version: enough for kubectl's apply, explain and validation. */
export function openApiDocument(definitions: readonly ResourceDefinition[]): Json {
  const collection = new SchemaCollection("#/components/schemas");
  const paths: Record<string, Json> = {};
  for (const definition of definitions) {
    const schema = schemaName(definition);
    collection.schemas[schema] = describeKind(collection, definition);
    Object.assign(paths, describePaths(definition));
  }
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: kubernetesVersion },
    paths,
    components: { schemas: collection.schemas },
  };
}

/**
 * The OpenAPI v2 document of all that is served: kubectl reads it for kinds that no v3 document has, such as List. It has schemas and no
 * paths.
 */
export function openApiV2Document(definitions: readonly ResourceDefinition[]): Json {
  const collection = new SchemaCollection("#/definitions");
  for (const definition of definitions) {
    collection.schemas[schemaName(definition)] = describeKind(collection, definition);
  }
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: kubernetesVersion },
    paths: {},
    definitions: collection.schemas,
  };
}

function schemaName(definition: ResourceDefinition): string {
  const { group, version, kind } = definition;
  return [...group.split(".").toReversed(), version, kind].filter((part) => part !== "").join(".");
}

function describeKind(collection: SchemaCollection, definition: ResourceDefinition): Json {
  const type = { apiVersion: { type: "string" }, kind: { type: "string" } };
  const metadata = collection.refer(findStruct("ObjectMeta"));
  const extensions = { "x-kubernetes-group-version-kind": [kindOf(definition)] };
  const struct = findBuiltinType(groupVersionOf(definition), definition.kind);
  const own = struct === undefined ? (definition.openApiSchema ?? {}) : collection.describe(struct);
  const properties = isRecord(own["properties"]) ? own["properties"] : {};
  return { type: "object", ...own, properties: { ...properties, ...type, metadata }, ...extensions };
}

function kindOf({ group, version, kind }: ResourceDefinition): Json {
  return { group, version, kind };
}

const methods: readonly (readonly [verb: Verb, method: string, onCollection: boolean])[] = [
  ["list", "get", true],
  ["create", "post", true],
  ["deletecollection", "delete", true],
  ["get", "get", false],
  ["update", "put", false],
  ["patch", "patch", false],
  ["delete", "delete", false],
];

function describePaths(definition: ResourceDefinition): Readonly<Record<string, Json>> {
  const root = definition.group === "" ? `/api/${definition.version}` : `/apis/${groupVersionOf(definition)}`;
  const collection = `${root}${definition.namespaced ? "/namespaces/{namespace}" : ""}/${definition.plural}`;
  const operations = (onCollection: boolean): Json =>
    Object.fromEntries(
      methods
        .filter(([verb, , isCollection]) => isCollection === onCollection && definition.verbs.includes(verb))
        .map(([verb, method]) => [method, describeOperation(definition, verb)]),
    );
  return { [collection]: operations(true), [`${collection}/{name}`]: operations(false) };
}

const writesOnce: readonly Verb[] = ["create", "update"];
const writeParameters = ["dryRun", "fieldManager", "fieldValidation"];

function describeOperation(definition: ResourceDefinition, verb: Verb): Json {
  const names = verb === "patch" ? [...writeParameters, "force"] : writesOnce.includes(verb) ? writeParameters : [];
  const parameters = names.map((name) => ({
    name,
    in: "query",
    schema: { type: name === "force" ? "boolean" : "string", uniqueItems: true },
  }));
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(verb === "patch" ? { requestBody: { content: patchTypes } } : {}),
    responses: { "200": { description: "OK" } },
    "x-kubernetes-action": verb === "create" ? "post" : verb,
    "x-kubernetes-group-version-kind": kindOf(definition),
  };
}

/**
 * Strategic merge patches are served, but not announced: the schemas here lack the merge keys from which kubectl would compute such a
 * patch, so that it uses what it has compiled in.
 */
const patchTypes = {
  "application/apply-patch+yaml": {},
  "application/json-patch+json": {},
  "application/merge-patch+json": {},
};
