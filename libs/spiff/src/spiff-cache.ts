import { SourceBuilder } from "./document/build-source.ts";
import { SourceCache } from "./document/source-cache.ts";
import type { SpiffFeature } from "./create-spiff.ts";

/** What is kept for one set of features, in which texts have other meanings. */
export interface ParsedTexts {
  readonly sources: SourceBuilder;
  readonly documents: SourceCache;
}

/** Parsed expressions and documents by their text, bounded; nothing of their values. Several instances may share one. */
export class SpiffCache {
  readonly #parsed = new Map<string, ParsedTexts>();

  /** For createSpiff. */
  parsedTexts(features: ReadonlySet<SpiffFeature>): ParsedTexts {
    const key = [...features].toSorted().join();
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const parsed: ParsedTexts = { sources: new SourceBuilder(features), documents: new SourceCache() };
    this.#parsed.set(key, parsed);
    return parsed;
  }
}
