import type { UnstructuredObject } from "@landscaper/api";
import type { FieldSchema, FieldSet, ManagedKind, ManagedVersion } from "@landscaper/patch";
import { deducedSchema, emptyFieldSet, fieldPath, unionSets } from "@landscaper/patch";
import { findBuiltinType } from "../builtin-types/parse-builtin-types.ts";
import { isRecord, stringAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf, hasStatusSubresource } from "../resources/resource-definition.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import { crdFieldSchema } from "./crd-field-schema.ts";
import { emptyObject } from "./empty-object.ts";
import { findFieldSchema } from "./parse-field-types.ts";

/** Schemas and empty objects are made once per definition. */
const knownVersions = new WeakMap<ResourceDefinition, KnownVersion>();

interface KnownVersion {
  readonly schema: FieldSchema;
  readonly empty: Readonly<Record<string, unknown>>;
}

/** A resource as the request for it or for one of its subresources sees its fields. */
export function managedKindOf(
  resources: ResourceRegistry,
  definition: ResourceDefinition,
  subresource: string,
): ManagedKind {
  const own = managedVersion(resources, definition);
  return {
    version: own,
    versionOf: (apiVersion) => {
      if (apiVersion === groupVersionOf(definition)) return own;
      const other = resources.findKind(apiVersion, definition.kind);
      // As the real server: what was written through another group is nobody's here.
      return other?.group !== definition.group ? undefined : managedVersion(resources, other);
    },
    ignored: ignoredFields(definition, subresource),
    empty: knownVersion(definition).empty,
  };
}

function managedVersion(resources: ResourceRegistry, definition: ResourceDefinition): ManagedVersion {
  return {
    schema: knownVersion(definition).schema,
    convert: (object) => {
      const from = resources.findKind(stringAt(object, "apiVersion"), definition.kind) ?? definition;
      const given: UnstructuredObject = {
        ...object,
        apiVersion: groupVersionOf(definition),
        kind: definition.kind,
        metadata: isRecord(object["metadata"]) ? object["metadata"] : {},
      };
      if (from === definition) return { ...given };
      const stored = from.convert?.toStorage(given) ?? given;
      return { ...(definition.convert?.fromStorage(stored) ?? stored), apiVersion: groupVersionOf(definition) };
    },
  };
}

function knownVersion(definition: ResourceDefinition): KnownVersion {
  const known = knownVersions.get(definition);
  if (known !== undefined) return known;
  const struct = findBuiltinType(groupVersionOf(definition), definition.kind);
  const made = {
    schema: definition.custom
      ? crdFieldSchema(definition.openApiSchema ?? {})
      : (findFieldSchema(groupVersionOf(definition), definition.kind) ?? deducedSchema),
    empty: struct === undefined ? {} : emptyObject(struct),
  };
  knownVersions.set(definition, made);
  return made;
}

const status = fieldPath("status");
const allButStatus = fieldPath("spec");
const allButDeploymentStatus = unionSets(allButStatus, fieldPath("metadata", "labels"));

/** What a strategy takes back from the old object, so that a request never writes it. */
function ignoredFields(definition: ResourceDefinition, subresource: string): FieldSet {
  if (!hasStatusSubresource(definition)) return emptyFieldSet;
  if (subresource !== "status") return status;
  return definition.storage === "deployments.apps" ? allButDeploymentStatus : allButStatus;
}
