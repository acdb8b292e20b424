/** A value for each field of T, undefined for a field that is absent. A field that is added to T does not compile until it is mentioned. */
export type EveryField<T> = { readonly [K in keyof Required<T>]: T[K] | undefined };

/** Makes an object of all fields of its type, without those that are undefined. */
export function fromEveryField<T extends object>(fields: EveryField<T>): T {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Only absent ones of the fields were taken away.
  return Object.fromEntries(present) as T;
}

/**
 * What remains of an object whose fields have all been taken out: `const { a, b, ...rest } = object; expectNothingElse(rest)`. A field that is added to
 * the object's type does not compile until it is taken out. What the types do not know is passed over.
 */
export function expectNothingElse(_rest: Readonly<Record<string, never>>): void {
  // The compiler checks.
}
