import { isMap, type GoMap } from "@landscaper/golang";
import type { PlacedSchema, SchemaDocuments } from "./schema-documents.ts";
import { referencesOf, usedPartsOf } from "./schema-positions.ts";

/**
 * Resolves every reference that a check could follow, as Helm does before it checks values. Leaves out references to other hosts, because most callers
 * refuse these hosts: checks resolve them if values need them. Throws SchemaError for the first reference that cannot be resolved, in schema order.
 */
export function checkReferences(documents: SchemaDocuments, root: PlacedSchema): void {
  const found: PlacedSchema[] = [root];
  const seen = new Set<GoMap>();
  for (const { schema, resource } of found) {
    if (!isMap(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const own = documents.resourceOf(schema) ?? resource;
    for (const { reference } of referencesOf(schema, own.draft)) {
      if (!documents.isRemote(reference, own)) found.push(documents.resolve(reference, own));
    }
    for (const part of usedPartsOf(schema, own.draft)) found.push({ schema: part.schema, resource: own });
  }
}
