import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import type { NeighboursBenchmark } from "./neighbours.ts";
import { budgets, type ProcessMeasure, type SideMeasure } from "./judge-sides.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

function timeTable({ comparisons }: NeighboursBenchmark): string {
  const rows = comparisons.map(({ comparison, kind, without, beside, ratio }) => [
    `${kind} beside ${comparison}`,
    `${without.count}/${beside.count}`,
    seconds(without.p50Ms),
    seconds(beside.p50Ms),
    seconds(without.p99Ms),
    seconds(beside.p99Ms),
    `${ratio.toFixed(2)}x`,
    `${budgets[comparison]}x`,
  ]);
  const head = ["jobs", "without/beside", "p50 without", "beside", "p99 without", "beside", "p99", "budget"];
  return formatTable([head, ...rows]);
}

const nameOf = ({ comparison, neighbours }: SideMeasure): string =>
  neighbours === undefined ? "without" : `beside ${comparison}`;

/** Of each process: processor time in percent of one processor, the highest memory, the longest turn of its main thread. */
function processTable({ sides }: NeighboursBenchmark): string {
  const names = (sides[0] === undefined ? [] : [...sides[0].services, ...sides[0].controlPlane]).map(
    ({ name }) => name,
  );
  const describe = (process: ProcessMeasure | undefined, side: SideMeasure): string => {
    if (process === undefined) return "";
    const turn = process.longestTurnMs === undefined ? "" : `, ${process.longestTurnMs.toFixed(0)} ms`;
    return `${((process.cpuSeconds / side.seconds) * 100).toFixed(0)} %, ${process.peakRssMiB.toFixed(0)} MiB${turn}`;
  };
  const rows = sides.map((side) => [
    `${side.round + 1} ${nameOf(side)}`,
    ...names.map((name) =>
      describe(
        [...side.services, ...side.controlPlane].find((each) => each.name === name),
        side,
      ),
    ),
  ]);
  return formatTable([["processor, peak RSS, longest turn", ...names], ...rows]);
}

/** The report of `npm run bench -- neighbours`. */
export function formatNeighbours(benchmark: NeighboursBenchmark): string {
  const { perSecond, sides, misses } = benchmark;
  const beside = sides.filter(({ neighbours }) => neighbours !== undefined);
  return [
    `healthy jobs, ${perSecond} of each kind a second, on kube-apiserver ${kubernetesVersion}`,
    ...beside.map((side) => `round ${side.round + 1}, ${side.comparison}: ${side.neighbours ?? ""}`),
    "",
    timeTable(benchmark),
    "",
    processTable(benchmark),
    "",
    ...sides.flatMap((side) =>
      side.leftBusy.map(
        (name) => `after round ${side.round + 1}, ${nameOf(side)}: ${name} stayed busy and was started anew`,
      ),
    ),
    ...formatVerdict(misses),
  ].join("\n");
}
