/** Returns code of a CommonJS module that exports `names` of the value of the expression `load`. Evaluates `load` when a name is first read. */
export function lazyExports(load: string, names: readonly string[]): string {
  return `let loaded;
for (const name of ${JSON.stringify(names)}) {
  Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= ${load})[name] });
}`;
}
