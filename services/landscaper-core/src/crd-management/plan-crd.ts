import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  type StructuralSchema,
} from "@landscaper/api";
import { isSameJson } from "../is-same-json.ts";

export type CrdPlan =
  | { readonly kind: "create"; readonly crd: CustomResourceDefinition }
  | { readonly kind: "update"; readonly crd: CustomResourceDefinition }
  | { readonly kind: "keep" };

/**
 * What becomes of one CRD. Nothing that is stored may be lost, whoever wrote the CRD (the original, or a newer release of ours whose
 * pods still run): other versions stay, and so do the storage version, the conversion, and fields of the schema that we do not know.
 */
export function planCrd(
  wanted: CustomResourceDefinition,
  live: CustomResourceDefinition | undefined,
  { forceUpdate }: { readonly forceUpdate: boolean },
): CrdPlan {
  if (live === undefined) return { kind: "create", crd: wanted };
  if (!forceUpdate) return { kind: "keep" };
  const spec = { ...live.spec, ...wanted.spec, versions: mergeVersions(wanted.spec.versions, live.spec.versions) };
  return isSameJson(spec, live.spec) ? { kind: "keep" } : { kind: "update", crd: { ...live, spec } };
}

type Versions = readonly CustomResourceDefinitionVersion[];

function mergeVersions(wanted: Versions, live: Versions): CustomResourceDefinitionVersion[] {
  const names = new Set(wanted.map(({ name }) => name));
  const others = live.filter(({ name }) => !names.has(name));
  const isStoredElsewhere = others.some(({ storage }) => storage);
  const ours = wanted.map((version) => {
    const before = live.find(({ name }) => name === version.name);
    const merged = before === undefined ? version : mergeVersion(version, before);
    return isStoredElsewhere ? { ...merged, storage: false } : merged;
  });
  return [...ours, ...others];
}

function mergeVersion(
  wanted: CustomResourceDefinitionVersion,
  live: CustomResourceDefinitionVersion,
): CustomResourceDefinitionVersion {
  const schema = wanted.schema?.openAPIV3Schema;
  const before = live.schema?.openAPIV3Schema;
  if (schema === undefined || before === undefined) return wanted;
  return { ...wanted, schema: { openAPIV3Schema: keepFields(schema, before) } };
}

/** The wanted schema with the properties that only the live one has: what stands in them would be pruned at the next write. */
function keepFields(wanted: StructuralSchema, live: StructuralSchema): StructuralSchema {
  const result = { ...wanted };
  if (wanted.properties !== undefined && live.properties !== undefined) {
    const known = Object.entries(wanted.properties).map(([name, schema]) => {
      const before = live.properties?.[name];
      return [name, before === undefined ? schema : keepFields(schema, before)] as const;
    });
    result.properties = { ...live.properties, ...Object.fromEntries(known) };
  }
  if (wanted.items !== undefined && live.items !== undefined) result.items = keepFields(wanted.items, live.items);
  const { additionalProperties: values } = wanted;
  const { additionalProperties: before } = live;
  if (typeof values === "object" && typeof before === "object")
    result.additionalProperties = keepFields(values, before);
  return result;
}
