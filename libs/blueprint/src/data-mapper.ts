/** The language of data mappings: spiff (spiff.md §1). Documents, bindings and results are plain data. */
export interface DataMapper {
  /** Evaluates one document; `bindings` are visible at top level. `where` names it in errors (LandscaperError). */
  map(document: unknown, bindings: Readonly<Record<string, unknown>>, where: string): unknown;
}
