import * as fc from "fast-check";

/** An arbitrary of text from fixed parts and arbitraries of text between them: text`{{ ${value} }}`. */
export function text(parts: TemplateStringsArray, ...holes: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...holes).map((values) => parts.map((part, index) => part + (values[index] ?? "")).join(""));
}

/** Several texts in a row. */
export function repeated(
  one: fc.Arbitrary<string>,
  range: { min: number; max: number; between?: string },
): fc.Arbitrary<string> {
  const { min, max, between = "" } = range;
  return fc.array(one, { minLength: min, maxLength: max }).map((items) => items.join(between));
}

/** A number of texts in a row, one of each. */
export function inOrder(all: readonly fc.Arbitrary<string>[], between: string): fc.Arbitrary<string> {
  return fc.tuple(...all).map((items) => items.join(between));
}

/** One of the texts. */
export function oneText(...texts: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...texts);
}

/** A text with a few small mistakes: characters gone, doubled, exchanged or put in. */
export function damaged(whole: fc.Arbitrary<string>, alphabet: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    kind: fc.constantFrom("drop", "insert", "replace"),
    put: fc.constantFrom(...alphabet),
  });
  return fc.tuple(whole, fc.array(edit, { minLength: 1, maxLength: 2 })).map(([start, edits]) => {
    let result = start;
    for (const { at, kind, put } of edits) {
      const index = Math.floor(at * result.length);
      const behind = result.slice(kind === "insert" ? index : index + 1);
      result = result.slice(0, index) + (kind === "drop" ? "" : put) + behind;
    }
    return result;
  });
}

type MakeArbitrary<T> = (kind: string, depth: number) => fc.Arbitrary<T>;

/** Makes each arbitrary once: they are large trees. */
export function remembered<T>(make: MakeArbitrary<T>): MakeArbitrary<T> {
  const known = new Map<string, fc.Arbitrary<T>>();
  return (kind, depth) => {
    const key = `${kind} ${depth}`;
    const arbitrary = known.get(key) ?? make(kind, depth);
    known.set(key, arbitrary);
    return arbitrary;
  };
}
