/** One mapping language over plain values: spiff (spiff.md §1). Values are JSON values. */
export interface DataMapper {
  /** Evaluates one document of a data mapping; `bindings` are visible at top level. Throws a LandscaperError. */
  map(document: unknown, bindings: Readonly<Record<string, unknown>>): unknown;
}
