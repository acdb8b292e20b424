import { groupName, type Installation } from "@landscaper/api";
import { prerequisiteError } from "./blueprint-error.ts";
import type { BlueprintSource } from "./blueprint-source.ts";
import { createBlueprint } from "./create-blueprint.ts";
import { isRecord } from "./describe-value.ts";
import type { RenderContext } from "./render-context.ts";

/** The blueprint of an Installation; only inline ones can be read. Throws LandscaperError. */
export function blueprintOfInstallation(installation: Installation): BlueprintSource {
  const { inline, ref } = installation.spec.blueprint;
  if (inline === undefined) {
    throw prerequisiteError(
      `spec.blueprint.ref "${ref?.resourceName ?? ""}" needs a component, but component repositories are not supported`,
      "ResolveBlueprint",
      "give the blueprint inline",
    );
  }
  return createBlueprint(inline.filesystem, `blueprint of installation ${installation.metadata.name ?? ""}`);
}

type JsonMap = Readonly<Record<string, unknown>>;

/** On a component reference: the descriptor that it leads to (seed-001, inline descriptors). */
const nestedDescriptorLabel = `${groupName}/component-descriptor`;

function referencesOf({ component, spec }: JsonMap): readonly unknown[] {
  const list = isRecord(component) ? component["componentReferences"] : isRecord(spec) ? spec["references"] : undefined;
  return Array.isArray(list) ? list : [];
}

function nestedDescriptors(reference: unknown): readonly JsonMap[] {
  const list = isRecord(reference) ? reference["labels"] : undefined;
  const found = Array.isArray(list) ? list.filter(isRecord).filter(({ name }) => name === nestedDescriptorLabel) : [];
  return found.map(({ value }) => value).filter(isRecord);
}

/** The descriptor and those that labels of its references hold, to any depth. */
function withNested(descriptor: JsonMap): readonly JsonMap[] {
  return [descriptor, ...referencesOf(descriptor).flatMap(nestedDescriptors).flatMap(withNested)];
}

/** `components` in the form of the descriptor's schema (core.md §3.7). */
function listComponents(descriptor: JsonMap): unknown {
  const { meta } = descriptor;
  const components = withNested(descriptor);
  return meta === undefined ? components : { meta, components };
}

/** What templates see of the component of an Installation; only inline descriptors can be read. Throws LandscaperError. */
export function componentBindingsOf({ spec }: Installation): Pick<RenderContext, "componentDescriptor" | "components"> {
  const { inline, ref } = spec.componentDescriptor ?? {};
  if (inline !== undefined) return { componentDescriptor: inline, components: listComponents(inline) };
  if (ref === undefined) return {};
  throw prerequisiteError(
    `spec.componentDescriptor.ref "${ref.componentName}" cannot be resolved: component repositories are not supported`,
    "GetComponentVersion",
    "give the component descriptor inline, or leave it out",
  );
}
