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
  const versions = mergeVersions(wanted.spec.versions, live.spec.versions);
  const spec = { ...live.spec, ...wanted.spec, names: planNames(wanted, live), versions };
  return isSameJson(spec, live.spec) ? { kind: "keep" } : { kind: "update", crd: { ...live, spec } };
}

type Names = CustomResourceDefinition["spec"]["names"];

/** A category of no meaning: the API server judges names anew when they differ from those in force, and not when they are the same again. */
const recheckCategory = "landscaper-names";

/**
 * The names of a live CRD stay, whoever has given them: clients know the kind by them, and the API server may refuse others. Where it has
 * refused some (`hasAcceptedNames`), those in force come back, with a category that makes it judge them; the next plan takes that off.
 */
function planNames(wanted: CustomResourceDefinition, live: CustomResourceDefinition): Names {
  if (hasAcceptedNames(live)) return withoutRecheck(live.spec.names);
  const { acceptedNames } = live.status ?? {};
  const inForce = withoutRecheck(isNames(acceptedNames) ? acceptedNames : wanted.spec.names);
  return { ...inForce, categories: [...(inForce.categories ?? []), recheckCategory] };
}

/** Whether the API server serves the kind by the names of the CRD: another kind, or this one, may have one of them already. */
export function hasAcceptedNames({ status }: CustomResourceDefinition): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === "NamesAccepted" && condition.status === "False") !== true
  );
}

function isNames(names: Readonly<Record<string, unknown>> | undefined): names is Names & Record<string, unknown> {
  return typeof names?.["kind"] === "string" && names["kind"] !== "" && typeof names["plural"] === "string";
}

function withoutRecheck({ categories = [], ...names }: Names): Names {
  const left = categories.filter((category) => category !== recheckCategory);
  return left.length === 0 ? names : { ...names, categories: left };
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
