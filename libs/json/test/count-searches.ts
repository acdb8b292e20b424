/** Runs `work` and counts its calls of String.prototype.includes: a measure of work that does not depend on the machine. */
export function countSearches<T>(work: () => T): { readonly value: T; readonly count: number } {
  const includes = Object.getOwnPropertyDescriptor(String.prototype, "includes") ?? {};
  const original = includes.value as typeof String.prototype.includes; // a method
  let count = 0;
  const value = function counting(this: string, text: string, from?: number): boolean {
    count += 1;
    return original.call(this, text, from);
  };
  // eslint-disable-next-line no-extend-native -- restored below
  Object.defineProperty(String.prototype, "includes", { ...includes, value });
  try {
    const result = work();
    return { value: result, count };
  } finally {
    // eslint-disable-next-line no-extend-native -- restores the original
    Object.defineProperty(String.prototype, "includes", includes);
  }
}
