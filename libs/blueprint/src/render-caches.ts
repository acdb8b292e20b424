import { TemplateCache } from "@landscaper/gotemplate";
import type { ComponentDescriptor } from "@landscaper/ocm";
import { SpiffCache } from "@landscaper/spiff";
import type { BlueprintSource } from "./blueprint-source.ts";
import { LruMap } from "./lru-map.ts";
import type { CompiledSchema } from "./schema/compile-schema.ts";

/** What rendering may keep between calls, by text: blueprints, compiled templates and schemas. One per process. */
export interface RenderCaches {
  readonly blueprints: LruMap<BlueprintSource>;
  readonly descriptors: LruMap<ComponentDescriptor>;
  readonly templates: TemplateCache;
  readonly spiff: SpiffCache;
  readonly schemas: LruMap<CompiledSchema>;
}

export function createRenderCaches(maxEntries = 500): RenderCaches {
  return {
    blueprints: new LruMap(maxEntries),
    descriptors: new LruMap(maxEntries),
    templates: new TemplateCache(maxEntries),
    spiff: new SpiffCache(),
    schemas: new LruMap(maxEntries),
  };
}
