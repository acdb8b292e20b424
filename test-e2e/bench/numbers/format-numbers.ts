import { formatTable } from "../format-table.ts";
import type { NumbersBenchmark } from "./numbers.ts";

/** The report of `npm run bench -- numbers`. */
export function formatNumbers({ measures, misses, rounds }: NumbersBenchmark): string {
  const rows = measures.map(({ name, bytes, exact, float64, ratio, limit }) => [
    name,
    `${(bytes / 1e6).toFixed(2)} MB`,
    `${exact.toFixed(2)} ms`,
    `${float64.toFixed(2)} ms`,
    `${ratio.toFixed(2)}x`,
    `${limit.toFixed(2)}x`,
  ]);
  return [
    `two texts parsed and compared; the fastest tenth of ${rounds} rounds`,
    "",
    formatTable([["manifest", "size", "exact", "float64", "ratio", "limit"], ...rows]),
    "",
    ...(misses.length === 0 ? ["all within the limits"] : misses.map((miss) => `missed: ${miss}`)),
  ].join("\n");
}
