import type { ComponentDescriptor, SchemaVersion } from "./component-descriptor.ts";
import type { Provider } from "./descriptor-schemas.ts";

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * The descriptor in a schema (docs/reference/components.md#descriptors). In its own it has all fields that were read; in the other one, all that the model
 * knows, elements with all of their fields. v2 always has its lists.
 */
export function formatDescriptor(descriptor: ComponentDescriptor, schemaVersion: SchemaVersion): JsonMap {
  return schemaVersion === "v2" ? formatV2(descriptor) : formatV3(descriptor);
}

function formatV2(descriptor: ComponentDescriptor): JsonMap {
  const { provider, repositoryContexts, sources, references, resources } = descriptor;
  const lists = { repositoryContexts, sources, componentReferences: references, resources };
  if (descriptor.schemaVersion === "v2") {
    const component: unknown = descriptor.document["component"];
    return { ...descriptor.document, component: { ...(component as JsonMap), ...lists } }; // a map, as the parser checked
  }
  return {
    meta: { schemaVersion: "v2" },
    component: withoutAbsent({ ...head(descriptor), provider: provider && providerText(provider), ...lists }),
    ...proof(descriptor),
  };
}

function formatV3(descriptor: ComponentDescriptor): JsonMap {
  if (descriptor.schemaVersion !== "v2") return descriptor.document;
  const { provider, repositoryContexts, sources, references, resources } = descriptor;
  return {
    apiVersion: "ocm.software/v3alpha1",
    kind: "ComponentVersion",
    metadata: withoutAbsent({ ...head(descriptor), provider }),
    repositoryContexts,
    spec: Object.fromEntries(Object.entries({ sources, references, resources }).filter(([, list]) => list.length > 0)),
    ...proof(descriptor),
  };
}

function head({ name, version, labels, creationTime }: ComponentDescriptor): JsonMap {
  return { name, version, labels, creationTime };
}

function proof({ signatures, nestedDigests }: ComponentDescriptor): JsonMap {
  return withoutAbsent({ signatures, nestedDigests });
}

/** A provider with labels is a JSON object written as text there. */
function providerText(provider: Provider): string {
  return provider.labels === undefined ? provider.name : JSON.stringify(provider);
}

function withoutAbsent(fields: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
