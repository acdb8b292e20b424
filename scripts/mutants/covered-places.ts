/** A range of a module with the number of times that it ran, as V8 reports it. */
export interface CoveredRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Returns true if the code at an offset ran: the innermost range around it has a count. Code outside all ranges is the code of the module itself, which V8
 * may forget once it ran. `ranges` is undefined for a module that was not loaded. Pure.
 */
export function hasRun(ranges: readonly CoveredRange[] | undefined, offset: number): boolean {
  if (ranges === undefined) return false;
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
  const length = (range: CoveredRange): number => range.endOffset - range.startOffset;
  const [first, ...others] = around;
  if (first === undefined) return true;
  return others.reduce((inner, range) => (length(range) <= length(inner) ? range : inner), first).count > 0;
}
