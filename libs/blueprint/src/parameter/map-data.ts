import { toYaml } from "@landscaper/goyaml";
import { toFloat64Object } from "@landscaper/json";
import type { RenderContext } from "../render-context.ts";
import { createEngine, executeSpiff } from "../template/execute-spiff.ts";

export interface MapDataOptions {
  /** Documents of the spiff language by key. */
  readonly mappings: Readonly<Record<string, unknown>>;
  /** Which values of the Installation they make. */
  readonly direction: "imports" | "exports";
  /** Visible at the top level of every document. */
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly context: RenderContext;
}

const directions = {
  imports: { field: "importDataMappings", reason: "ConstructImports" },
  exports: { field: "exportDataMappings", reason: "ConstructExports" },
} as const;

/**
 * Evaluates each document of a data mapping by itself: it may be a scalar, a list or a map, and sees neither the others
 * nor files, functions of Landscaper or state (core.md §1.2 no. 38, 43; spiff.md §1). Throws LandscaperError.
 */
export function mapData({ mappings, direction, bindings, context }: MapDataOptions): Record<string, unknown> {
  if (Object.keys(mappings).length === 0) return {};
  const { field, reason } = directions[direction];
  const shared = {
    bindings: toFloat64Object(bindings),
    shownBindings: { [direction]: bindings },
    context,
    engine: createEngine(context),
    reason,
  };
  const entries = Object.entries(mappings).map(([key, document]): [string, unknown] => {
    const where = `${field}.${key}`;
    context.onStep?.(where);
    const template = { name: where, text: toYaml(document) };
    return [key, executeSpiff({ ...shared, where, template, document: key }).output];
  });
  return Object.fromEntries(entries);
}
