import * as fc from "fast-check";

const bounds = [2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 15n, 10n ** 16n, 10n ** 18n, 10n ** 20n, 10n ** 30n];

const nearBounds = fc
  .tuple(fc.constantFrom(...bounds), fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
  .map(([bound, distance, isNegative]) => String((isNegative ? -1n : 1n) * (bound + distance)));

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => String(value).replace("e+", "e"));

/** Digits, a fraction and an exponent in all notations; small enough for float64. */
const notations = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 20n }),
    fc.option(fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), minLength: 1, maxLength: 18 }), {
      nil: undefined,
    }),
    fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "E+", "e-", "E-"), fc.integer({ min: 0, max: 280 })), {
      nil: undefined,
    }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${exponent === undefined ? "" : exponent.join("")}`,
  );

const zeros = fc.constantFrom("-0", "-0.0", "0.0", "0e0", "-0e5", "0E-3");

/** JSON numbers, as texts. */
export const numberTexts = fc.oneof(nearBounds, int64, uint64, doubles, notations, zeros);

const texts = fc
  .string({
    unit: fc.constantFrom(...Array.from('ab: ,[]{}"\\0123456789'), "9007199254740993"),
    maxLength: 8,
  })
  .map((text) => JSON.stringify(text));
const keys = fc
  .string({ unit: fc.constantFrom(...Array.from("abcdefgh")), minLength: 1, maxLength: 5 })
  .map((key) => JSON.stringify(key));

const { spec } = fc.letrec<{ value: string; spec: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: numberTexts, weight: 6 },
    texts,
    fc.constantFrom("true", "false"),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    tie("spec"),
  ),
  spec: fc
    .uniqueArray(fc.tuple(keys, tie("value")), { minLength: 1, maxLength: 5, selector: ([key]) => key })
    .map((fields) => `{${fields.map(([key, value]) => `${key}:${value}`).join(",")}}`),
}));

/** The JSON of a custom resource's spec: numbers in all notations, in maps and lists, beside texts that look like numbers. */
export const specTexts: fc.Arbitrary<string> = spec;
