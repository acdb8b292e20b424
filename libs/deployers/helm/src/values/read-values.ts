import { LandscaperError, kubeResources, resources } from "@landscaper/api";
import type { ItemNamespace } from "@landscaper/deployer";
import { toFloat64, type Float64Value } from "@landscaper/json";
import type { ValuesReference } from "./values-reference.ts";

/** What a reference has led to: the text of an entry, or the data of a DataObject. Secret. */
export interface ValuesSource {
  readonly reference: ValuesReference;
  readonly content:
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "data"; readonly data: Float64Value };
}

export function isOfSecret({ reference }: ValuesSource): boolean {
  return reference.kind === "Secret";
}

/** Reads what `valuesFrom` names, in its order; what is optional and missing is left out. Throws LandscaperError (ValuesMissing). */
export async function readValues(
  references: readonly ValuesReference[],
  landscaper: ItemNamespace,
): Promise<ValuesSource[]> {
  const found = await Promise.all(references.map(async (reference) => await readSource(reference, landscaper)));
  return found.filter((source) => source !== undefined);
}

async function readSource(reference: ValuesReference, landscaper: ItemNamespace): Promise<ValuesSource | undefined> {
  const content = await readContent(reference, landscaper);
  if (typeof content !== "string") return { reference, content };
  if (reference.isOptional) return undefined;
  throw new LandscaperError({
    message: `${reference.field}: ${reference.kind} ${reference.name} ${content}`,
    reason: "ValuesMissing",
    hint: "it is looked for in the namespace of the deploy item",
  });
}

/** A text says what is missing. */
async function readContent(
  { kind, name, key }: ValuesReference,
  landscaper: ItemNamespace,
): Promise<ValuesSource["content"] | string> {
  if (kind === "DataObject") {
    const object = await landscaper.find(resources.dataObject, name);
    if (object === undefined) return "does not exist";
    return object.data === undefined ? "has no data" : { type: "data", data: toFloat64(object.data) };
  }
  const isSecret = kind === "Secret";
  const object = await landscaper.find(isSecret ? kubeResources.secret : kubeResources.configMap, name);
  if (object === undefined) return "does not exist";
  const data: Readonly<Record<string, string>> = object.data ?? {};
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text === undefined) return `has no key ${key}`;
  return { type: "text", text: isSecret ? Buffer.from(text, "base64").toString("utf8") : text };
}
