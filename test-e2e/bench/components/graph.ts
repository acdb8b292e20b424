// Components that refer to each other, for the bench "components".
import type { TestComponent } from "@landscaper/components/testing";

/** Components of each level, the root first. */
const widthsOf = { full: [1, 39, 40, 40, 40, 40], smallest: [1, 8, 8] } as const;
/** Of the components of the next level, by their distance. */
const steps = [0, 1, 7];

const nameOf = (level: number, index: number): string => `bench.example/level-${level}/part-${index}`;

function referencesOf(
  widths: readonly number[],
  { level, index }: { readonly level: number; readonly index: number },
): NonNullable<TestComponent["references"]> {
  const width = widths[level + 1] ?? 0;
  const targets =
    level === 0 ? Array.from({ length: width }, (_, at) => at) : steps.map((step) => (index + step) % width);
  return width === 0
    ? []
    : targets.map((at) => ({ name: `part-${at}`, componentName: nameOf(level + 1, at), version: "1.0.0" }));
}

/** Components that refer to each other: 200, or 17 for the smallest size. */
export type GraphSize = keyof typeof widthsOf;

/** The graph, level by level, the root first. Each component has a resource with words of its own. */
export function componentGraph(size: GraphSize): readonly TestComponent[] {
  const widths: readonly number[] = widthsOf[size];
  return widths.flatMap((width, level) =>
    Array.from({ length: width }, (_, index) => ({
      name: nameOf(level, index),
      version: "1.0.0",
      resources: { words: `words of ${nameOf(level, index)}` },
      references: referencesOf(widths, { level, index }),
    })),
  );
}
