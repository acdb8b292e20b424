import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { budgets, type ImagesBenchmark } from "./images.ts";

/** The report of `npm run bench -- images`. */
export function formatImages({ images, misses }: ImagesBenchmark): string {
  const rows = images.map(({ name, compressedMiB, firstReconcileSeconds, idleMiB }) => [
    name,
    `${compressedMiB.toFixed(1)} MiB`,
    firstReconcileSeconds === undefined ? "" : `${firstReconcileSeconds.toFixed(2)} s`,
    idleMiB === undefined ? "" : `${idleMiB.toFixed(0)} MiB`,
  ]);
  const most = [
    "at most",
    `${budgets.compressedMiB} MiB`,
    `${budgets.firstReconcileSeconds} s`,
    `${budgets.idleMiB} (mock ${budgets.idleMockMiB}) MiB`,
  ];
  return [
    formatTable([["image", "compressed", "first reconcile", "without work"], ...rows, most]),
    "",
    ...formatVerdict(misses),
  ].join("\n");
}
