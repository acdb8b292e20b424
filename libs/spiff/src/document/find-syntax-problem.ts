import type { Source } from "./source.ts";

/** Of containers; null for none. */
const known = new WeakMap<Source, string | null>();

/** Why the first expression of a part of a document that cannot be read is none; templates are read where they are used. */
export function findSyntaxProblem(source: Source): string | undefined {
  if (source.kind === "scalar" || source.markers?.isTemplate === true) return undefined;
  if (source.kind === "expression") return source.parsed.problem;
  const found = known.get(source);
  if (found !== undefined) return found ?? undefined;
  let problem: string | undefined;
  for (const part of partsOf(source)) problem ??= findSyntaxProblem(part);
  known.set(source, problem ?? null);
  return problem;
}

function partsOf(source: Exclude<Source, { kind: "scalar" | "expression" }>): readonly Source[] {
  switch (source.kind) {
    case "list":
      return source.items.map((item) => item.source);
    case "map":
      return [...source.entries.values(), ...(source.insert === undefined ? [] : [source.insert])];
    case "control":
      return [...source.entries.values(), ...source.options.values()];
  }
}
