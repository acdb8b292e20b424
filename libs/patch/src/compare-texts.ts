/** Order of texts by their code units. */
export function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
