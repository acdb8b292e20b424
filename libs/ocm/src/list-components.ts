import { groupName } from "@landscaper/api";
import { toGoJson } from "@landscaper/goyaml";
import { componentText, type ComponentDescriptor } from "./component-descriptor.ts";
import { fieldPaths } from "./field-paths.ts";
import { ocmError } from "./ocm-error.ts";
import { parseDescriptor } from "./parse-descriptor.ts";

/** On a component reference: the descriptor that it leads to (seed-001, inline descriptors). */
const nestedDescriptorLabel = `${groupName}/component-descriptor`;

/**
 * The component and those that labels of its references hold, to any depth (docs/reference/components.md#resolution): depth first, each version once.
 * Throws LandscaperError for a nested descriptor that is none, and for two different ones of the same version.
 */
export function listComponents(root: ComponentDescriptor, where: string): readonly ComponentDescriptor[] {
  const found = new Map<string, { readonly descriptor: ComponentDescriptor; readonly where: string }>();
  const add = (descriptor: ComponentDescriptor, place: string): void => {
    const key = componentText(descriptor);
    const known = found.get(key);
    if (known !== undefined) {
      if (isSame(known.descriptor, descriptor)) return;
      throw ocmError(`${place}: expected the descriptor of ${key} that ${known.where} has, found another one`);
    }
    found.set(key, { descriptor, where: place });
    for (const nested of nestedIn(descriptor))
      add(parseDescriptor(nested.value, `${place}: ${nested.path}`), `${place}: ${nested.path}`);
  };
  add(root, where);
  return [...found.values()].map(({ descriptor }) => descriptor);
}

function nestedIn({ references, schemaVersion }: ComponentDescriptor): { path: string; value: unknown }[] {
  const list = fieldPaths[schemaVersion].references;
  return references.flatMap(({ labels = [] }, i) =>
    labels.flatMap(({ name, value }, j) =>
      name === nestedDescriptorLabel ? [{ path: `${list}[${i}].labels[${j}].value`, value }] : [],
    ),
  );
}

function isSame(a: ComponentDescriptor, b: ComponentDescriptor): boolean {
  return toGoJson(a.document) === toGoJson(b.document);
}
