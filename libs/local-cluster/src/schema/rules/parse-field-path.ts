const steps = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/gy;

/** The fields of a path like `.a.b['c.d']`, as rules name them in fieldPath; undefined when it is malformed. */
export function parseFieldPath(path: string): readonly string[] | undefined {
  const found = [...path.matchAll(steps)];
  const isComplete = found.map(([step]) => step).join("") === path;
  return isComplete ? found.map(([, name, quoted]) => name ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1")) : undefined;
}
