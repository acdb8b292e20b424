import { blueprintError } from "./blueprint-error.ts";
import { isRecord } from "./describe-value.ts";
import type { DataMapper } from "./data-mapper.ts";

export interface MapDataOptions {
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Without one only documents without expressions can be mapped: they are constants. */
  readonly mapper: DataMapper | undefined;
  /** "importDataMappings" or "exportDataMappings", for messages. */
  readonly where: string;
}

/** Evaluates each document of a data mapping by itself (core.md §1.2 no. 38, 43; spiff.md §1). Throws LandscaperError. */
export function mapData({ mappings, bindings, mapper, where }: MapDataOptions): Record<string, unknown> {
  const results: Record<string, unknown> = {};
  for (const [key, document] of Object.entries(mappings)) {
    const at = `${where}.${key}`;
    if (mapper !== undefined) results[key] = mapper.map(document, bindings, at);
    else if (hasExpressions(document)) {
      throw blueprintError("ConstructImports", `${at}: expressions in (( )) cannot be evaluated here`, {
        hint: "write a constant, or import the value under the name that the blueprint declares",
      });
    } else results[key] = document;
  }
  return results;
}

/** Whether a document has dynaml expressions or merge keys; without them it means itself. */
export function hasExpressions(document: unknown): boolean {
  if (typeof document === "string") return /\(\(.*\)\)/s.test(document);
  if (Array.isArray(document)) return document.some(hasExpressions);
  if (!isRecord(document)) return false;
  return Object.entries(document).some(
    ([key, value]) => key === "<<" || key === "<<<" || hasExpressions(key) || hasExpressions(value),
  );
}
