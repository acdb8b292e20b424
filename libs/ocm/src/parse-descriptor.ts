import { createParser } from "@landscaper/api";
import { foldKeys, fromYaml, YamlError } from "@landscaper/goyaml";
import { checkDescriptor } from "./check-descriptor.ts";
import { schemaVersionNamed, type ComponentDescriptor, type SchemaVersion } from "./component-descriptor.ts";
import {
  providerSchema,
  v2Schema,
  v3Schema,
  type Provider,
  type V2Document,
  type V3Document,
} from "./descriptor-schemas.ts";
import { foldDocument } from "./fold-document.ts";
import { ocmError } from "./ocm-error.ts";

const parseV2 = createParser<V2Document>(v2Schema, "component descriptor");
const parseV3 = createParser<V3Document>(v3Schema, "component descriptor");
const parseProvider = createParser<Provider>(providerSchema, "provider");

/**
 * Reads a component descriptor of schema v2 or v3alpha1 (docs/reference/components.md#descriptors): a map, or its YAML or JSON text. Fields are matched
 * without regard to case, null stands for an absent field, unknown fields are kept; the given value is not changed.
 * `where` begins all messages. Throws LandscaperError.
 */
export function parseDescriptor(value: unknown, where: string): ComponentDescriptor {
  const content = typeof value === "string" ? readText(value, where) : value;
  const descriptor =
    schemaVersionOf(content, where) === "v2"
      ? fromV2(parseV2(foldDocument(content, { ...v2Schema }), where), where)
      : fromV3(parseV3(foldDocument(content, { ...v3Schema }), where));
  checkDescriptor(descriptor, where);
  return descriptor;
}

function readText(text: string, where: string): unknown {
  try {
    return fromYaml(text, { integers: "exact" });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line = 1, column = 1, problem } = error;
    throw ocmError(`${where}: expected YAML, found at line ${line}, column ${column}: ${problem}`);
  }
}

function schemaVersionOf(content: unknown, where: string): SchemaVersion {
  const { meta, apiVersion } = asMap(foldKeys(content, ["meta", "apiVersion"]));
  const found = apiVersion ?? asMap(foldKeys(meta, ["schemaVersion"]))["schemaVersion"];
  const known = typeof found === "string" ? schemaVersionNamed(found) : undefined;
  if (known !== undefined) return known;
  const expected = "expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1";
  const what = typeof found === "string" ? JSON.stringify(found) : "neither";
  throw ocmError(`${where}: not a valid component descriptor: ${expected}, found ${what}`);
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function fromV2(document: V2Document, where: string): ComponentDescriptor {
  const { component, signatures, nestedDigests } = document;
  return {
    schemaVersion: "v2",
    document,
    name: component.name,
    version: component.version,
    provider: component.provider === undefined ? undefined : providerOf(component.provider, where),
    labels: component.labels,
    creationTime: component.creationTime,
    repositoryContexts: component.repositoryContexts ?? [],
    sources: component.sources ?? [],
    references: component.componentReferences ?? [],
    resources: component.resources ?? [],
    signatures,
    nestedDigests,
  };
}

/** In v2 the provider is a text; one with labels is a JSON object written as text (docs/reference/components.md#descriptors). */
function providerOf(text: string, where: string): Provider {
  if (!text.startsWith("{")) return { name: text };
  const place = `${where}: component.provider`;
  return parseProvider(foldDocument(readText(text, place), { ...providerSchema }), place);
}

function fromV3(document: V3Document): ComponentDescriptor {
  const { metadata, repositoryContexts, spec, signatures, nestedDigests } = document;
  return {
    schemaVersion: "ocm.software/v3alpha1",
    document,
    name: metadata.name,
    version: metadata.version,
    provider: metadata.provider,
    labels: metadata.labels,
    creationTime: metadata.creationTime,
    repositoryContexts: repositoryContexts ?? [],
    sources: spec?.sources ?? [],
    references: spec?.references ?? [],
    resources: spec?.resources ?? [],
    signatures,
    nestedDigests,
  };
}
