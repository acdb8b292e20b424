import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { budgets, type ComponentsBenchmark } from "./components.ts";

/** The report of `npm run bench -- components`. */
export function formatComponents({ components, reads, misses, ...times }: ComponentsBenchmark): string {
  const rows = reads.map(({ name, manifests, blobs, most }) => [name, `${manifests}`, `${blobs}`, `${most}`]);
  return [
    `${components} components of a registry on this machine`,
    `as a job reads them: ${times.ourMilliseconds.toFixed(0)} ms; a raw loop: ${times.rawMilliseconds.toFixed(0)} ms; ${times.ratio.toFixed(2)}x, at most ${budgets.ratio}x`,
    "",
    formatTable([["requests", "for manifests", "for blobs", "most for one"], ...rows]),
    "",
    ...formatVerdict(misses),
  ].join("\n");
}
