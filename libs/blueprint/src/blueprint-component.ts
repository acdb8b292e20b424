import { LandscaperError, type Installation } from "@landscaper/api";
import {
  formatDescriptor,
  listComponents,
  parseDescriptor,
  schemaVersionNamed,
  type ComponentDescriptor,
  type SchemaVersion,
} from "@landscaper/ocm";
import { blueprintError, prerequisiteError } from "./blueprint-error.ts";
import type { BlueprintSource } from "./blueprint-source.ts";

/** The component that a blueprint belongs to, as templates see it. */
export interface BlueprintComponent {
  readonly descriptor: ComponentDescriptor;
  /** The component itself and those that it refers to. */
  readonly components: readonly ComponentDescriptor[];
  /** The schema in which templates get descriptors (core.md §3.7). */
  readonly schemaVersion: SchemaVersion;
}

/** The component of an Installation, undefined for none; only inline descriptors can be read. Throws LandscaperError. */
export function componentOfInstallation(
  { spec }: Installation,
  source: BlueprintSource,
): BlueprintComponent | undefined {
  const { inline, ref } = spec.componentDescriptor ?? {};
  if (inline !== undefined) return readInline(inline, source);
  if (ref === undefined) return undefined;
  throw prerequisiteError(
    `spec.componentDescriptor.ref "${ref.componentName}" cannot be resolved: component repositories are not supported`,
    "GetComponentVersion",
    "give the component descriptor inline, or leave it out",
  );
}

function readInline(inline: unknown, source: BlueprintSource): BlueprintComponent {
  const wanted = wantedSchema(source);
  const where = "spec.componentDescriptor.inline";
  try {
    const descriptor = parseDescriptor(inline, where);
    const components = listComponents(descriptor, where);
    return { descriptor, components, schemaVersion: wanted ?? descriptor.schemaVersion };
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw prerequisiteError(error.message, "GetComponentVersion", "correct the component descriptor");
  }
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
