import { LandscaperError, type Installation } from "@landscaper/api";
import { readClosure, type Closure, type ComponentSelection, type SupplyReader } from "@landscaper/components";
import {
  formatDescriptor,
  schemaVersionNamed,
  type ComponentDescriptor,
  type ComponentLookup,
  type FoundResource,
  type SchemaVersion,
} from "@landscaper/ocm";
import { blueprintError, prerequisiteError } from "./blueprint-error.ts";
import type { BlueprintSource } from "./blueprint-source.ts";
import type { RenderCaches } from "./render-caches.ts";

/** The component that a blueprint belongs to, as templates see it. */
export interface BlueprintComponent {
  readonly descriptor: ComponentDescriptor;
  /** The component itself and those that it refers to. */
  readonly components: readonly ComponentDescriptor[];
  /** What a reference leads to. */
  readonly lookup: ComponentLookup;
  /** The same without overwrites, which do not apply to references of schemas (docs/reference/components.md#overwrites). */
  readonly lookupOriginal: ComponentLookup;
  /** The schema in which templates get descriptors (core.md §3.7). */
  readonly schemaVersion: SchemaVersion;
}

/** What is needed to read the component of an Installation. */
export interface ComponentReading {
  /** Undefined for an Installation without a component. */
  readonly selection: ComponentSelection | undefined;
  readonly supplies: SupplyReader;
  readonly caches?: RenderCaches | undefined;
}

/** The component version that an Installation names; inline descriptors win. Undefined for none. */
export function selectRoot({ spec }: Installation): ComponentSelection["root"] | undefined {
  const { inline, ref } = spec.componentDescriptor ?? {};
  if (inline !== undefined) return { inline };
  return ref === undefined ? undefined : { name: ref.componentName, version: ref.version };
}

/**
 * The component of an Installation with all that it refers to; undefined for none. Throws SuppliesLacking as long as something is to be fetched, and LandscaperError with
 * the reason GetComponentVersion.
 */
export async function readComponents({ selection, supplies, caches }: ComponentReading): Promise<Closure | undefined> {
  if (selection === undefined) return undefined;
  const where = "spec.componentDescriptor.inline";
  try {
    return await readClosure(selection, { supplies, where, cache: caches?.descriptors });
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw prerequisiteError(error.message, "GetComponentVersion", "correct the component descriptor");
  }
}

/** The component as templates of the blueprint see it. Throws LandscaperError. */
export function describeComponent(
  closure: Closure | undefined,
  source: BlueprintSource,
): BlueprintComponent | undefined {
  if (closure === undefined) return undefined;
  const { root: descriptor, components, lookup, lookupOriginal } = closure;
  const schemaVersion = wantedSchema(source) ?? descriptor.schemaVersion;
  return { descriptor, components, lookup, lookupOriginal, schemaVersion };
}

function wantedSchema({ definition }: BlueprintSource): SchemaVersion | undefined {
  const wanted = definition.annotations?.["ocmSchemaVersion"];
  if (wanted === undefined) return undefined;
  const known = schemaVersionNamed(wanted);
  if (known !== undefined) return known;
  throw blueprintError(
    "InvalidInput",
    `blueprint.yaml: annotations.ocmSchemaVersion: expected v2 or ocm.software/v3alpha1, found ${JSON.stringify(wanted)}`,
  );
}

/** The bindings `cd` and `components` of templates: descriptors in the effective schema, null without a component. */
export function componentBindings(component: BlueprintComponent | undefined): {
  readonly cd: unknown;
  readonly components: unknown;
} {
  if (component === undefined) return { cd: null, components: null };
  const { descriptor, components, schemaVersion } = component;
  const list = components.map((one) => formatDescriptor(one, schemaVersion));
  return {
    cd: formatDescriptor(descriptor, schemaVersion),
    components: schemaVersion === "v2" ? { meta: { schemaVersion }, components: list } : list,
  };
}

/** `resource "image" of component example.com/app:1.0.0` */
export function resourceText({ component, resource }: FoundResource): string {
  return `resource "${resource.name}" of component ${component.name}:${component.version}`;
}
