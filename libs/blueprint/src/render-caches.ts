import { TemplateCache } from "@landscaper/gotemplate";
import { LruMap } from "./lru-map.ts";
import type { CompiledSchema } from "./schema/compile-schema.ts";

/** What rendering may keep between calls: compiled templates and schemas by their text. One per process. */
export interface RenderCaches {
  readonly templates: TemplateCache;
  readonly schemas: LruMap<CompiledSchema>;
}

export function createRenderCaches(maxEntries = 500): RenderCaches {
  return { templates: new TemplateCache(maxEntries), schemas: new LruMap(maxEntries) };
}
