/** Integers from which a server allocates; both ends belong to the range. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
  /** Smaller numbers are assigned last, as clients tend to ask for them. Default: `first`. */
  readonly preferred?: number;
}

export function isIn({ first, last }: NumberRange, number: number): boolean {
  return number >= first && number <= last;
}

/** Returns the first free number, counted from the preferred one, then from the start of the range; undefined if the range is full. */
export function firstFree(range: NumberRange, isTaken: (number: number) => boolean): number | undefined {
  const { first, last, preferred = first } = range;
  for (let number = preferred; number <= last; number += 1) if (!isTaken(number)) return number;
  for (let number = first; number < preferred; number += 1) if (!isTaken(number)) return number;
  return undefined;
}
