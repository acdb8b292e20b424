import type { ComponentDescriptor } from "./component-descriptor.ts";

type Fields = Readonly<Record<string, unknown>>;

export type DescriptorChanges = Partial<
  Pick<ComponentDescriptor, "resources" | "sources" | "references" | "signatures">
>;

/** The descriptor with other elements or signatures, also in its document. */
export function changeDescriptor(descriptor: ComponentDescriptor, changes: DescriptorChanges): ComponentDescriptor {
  const changed = { ...descriptor, ...changes };
  const { document, resources, sources, references, signatures } = changed;
  const proof = signatures === undefined ? {} : { signatures };
  if (descriptor.schemaVersion === "v2") {
    const lists = { resources, sources, componentReferences: references };
    const component = { ...fieldsOf(document["component"]), ...lists };
    return { ...changed, document: { ...document, component, ...proof } };
  }
  const lists = Object.entries({ resources, sources, references }).filter(([, list]) => list.length > 0);
  const spec = { ...fieldsOf(document["spec"]), ...Object.fromEntries(lists) };
  return { ...changed, document: { ...document, spec, ...proof } };
}

/** Of a document that the parser has checked. */
function fieldsOf(value: unknown): Fields {
  return (value ?? {}) as Fields;
}
